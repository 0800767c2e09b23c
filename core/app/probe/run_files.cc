#include "app/probe/run_files.h"

#include <fmt/format.h>

#include "app/probe/record_builder.h"
#include "app/probe/signals.h"
#include "app/version.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "comm/control_plane.h"

namespace ringwise::app {
namespace {

/// Of an earlier record, enough to know it by.
constexpr std::size_t kRecordHead = 4096;

std::filesystem::path journal_place(const std::string& output, int rank) {
  auto path = model::journal_path(output, rank);
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return path;
  return std::filesystem::temp_directory_path() / path.filename();
}

model::JournalBegin beginning(const ProbeOptions& options, const World& world,
                              const Introduction& mine) {
  const auto rank = static_cast<std::size_t>(mine.rank.rank);
  model::JournalBegin begin;
  begin.tool.version = std::string(version());
  begin.tool.features = feature_names();
  begin.run = fmt::format("{:016x}", world.seed);
  begin.started = utc_now();
  begin.launch.ranks = static_cast<int>(world.hosts.size());
  begin.launch.launcher = comm::detect_launcher();
  begin.rank = mine.rank;
  begin.rank.local_rank = world.local_ranks.at(rank);
  begin.host = mine.host;
  // As rank 0 tells hosts of one name apart.
  begin.host.host = begin.rank.host = world.hosts.at(rank);
  begin.mode.label = options.mode;
  begin.plan = options.probes;
  return begin;
}

}  // namespace

void check_output(const std::string& output) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorKind::kUsage, fmt::format("--output: {} {}", base::printable(output), why));
  };
  const std::filesystem::path path(output);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!path.has_filename() || std::filesystem::is_directory(status)) {
    refuse("is a folder: a file name is needed");
  }
  if (std::filesystem::exists(status)) {
    if (!std::filesystem::is_regular_file(status)) refuse("exists and is no regular file");
    const auto text = base::read_text(path, kRecordHead).value_or("");
    if (!text.empty() && text.find("\"schema_version\"") == std::string::npos) {
      refuse("exists and is no run record: it would be overwritten");
    }
  }
  base::write_atomically(output + ".try", "");
  std::filesystem::remove(output + ".try");
}

void remove_old_run(const std::string& output, int ranks) {
  std::filesystem::remove(output);
  for (int rank = ranks; std::filesystem::remove(model::journal_path(output, rank)); ++rank) {
  }
}

RunJournal::RunJournal(const ProbeOptions& options, const World& world, const Introduction& mine)
    : path_(journal_place(options.output, mine.rank.rank)), writer_(path_) {
  writer_.append(beginning(options, world, mine));
  set_journal_lines(writer_.fd(), [](int signal) {
    return model::to_json_line(model::JournalSignal{.signal = signal, .at = {}}) + "\n";
  });
}

void RunJournal::begin_stage(const std::string& stage) const {
  writer_.append(model::JournalStageBegin{.stage = stage, .at = utc_now()});
}

void RunJournal::step(const std::string& stage, std::string_view text) const {
  writer_.append(model::JournalStep{.stage = stage, .step = std::string(text)});
}

void RunJournal::end_stage(const std::string& stage, const model::StageReport& report) const {
  model::JournalStage line;
  line.stage = stage;
  for (const auto& result : report.results) {
    if (result.status == model::Status::kOk) continue;
    line.status = result.status;
    line.reason = result.reason;
  }
  line.report = report;
  writer_.append(line);
}

void RunJournal::problem(const model::Problem& problem) const {
  writer_.append(model::JournalProblem{.problem = problem});
}

void RunJournal::end(bool is_superfluous) const {
  writer_.append(model::JournalEnd{.at = utc_now()});
  set_journal_lines(-1, {});
  if (is_superfluous) std::filesystem::remove(path_);
}

}  // namespace ringwise::app
