#include "app/commands/runs.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "model/read_run.h"

namespace ringwise::app {
namespace {

/// One record, or why it could not be read.
struct Read {
  std::optional<model::RunRecord> record;
  std::exception_ptr error;
};

/// Reading is most of the work of a command with hundreds of records: every core takes some.
std::vector<Read> read_all(const std::vector<std::filesystem::path>& paths) {
  std::vector<Read> reads(paths.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < paths.size(); i = next++) {
      try {
        reads[i].record = model::read_run(paths[i]);
      } catch (...) {
        reads[i].error = std::current_exception();
      }
    }
  };
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> helpers;
  const std::size_t count = std::min(cores, paths.size());
  helpers.reserve(count);
  for (std::size_t i = 1; i < count; ++i) helpers.emplace_back(work);
  work();
  for (auto& helper : helpers) helper.join();
  return reads;
}

/// The record behind an argument, there or (of a run that left journals only) not; pipes, which
/// can be read once only, have none.
std::optional<std::filesystem::path> file_of(const std::filesystem::path& path) {
  std::error_code error;
  auto file = std::filesystem::is_directory(path, error) ? path / "run.json" : path;
  if (std::filesystem::is_fifo(file, error) || std::filesystem::is_character_file(file, error)) {
    return std::nullopt;
  }
  file = std::filesystem::weakly_canonical(file, error);
  return error ? std::nullopt : std::optional(file);
}

/// Held against itself a run never differs, which would look like an answer.
void refuse_twice(std::span<const std::string> names) {
  std::map<std::filesystem::path, std::string> seen;
  for (const auto& name : names) {
    const auto file = file_of(name);
    if (!file) continue;
    const auto [first, is_new] = seen.try_emplace(*file, name);
    if (is_new) continue;
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: the same file is given twice{}", base::printable(name),
                            first->second == name ? std::string()
                                                  : ", also as " + base::printable(first->second)));
  }
}

}  // namespace

std::vector<NamedRun> read_runs(std::span<const std::string> paths) {
  std::vector<std::filesystem::path> records;
  std::vector<std::filesystem::path> journals;
  std::vector<std::string> names;
  std::string journal_name;
  for (const auto& path : paths) {
    if (path.ends_with(".journal")) {
      if (journals.empty()) journal_name = path;
      journals.emplace_back(path);
    } else {
      records.emplace_back(path);
      names.push_back(path);
    }
  }
  refuse_twice(names);
  auto reads = read_all(records);
  std::vector<NamedRun> runs;
  runs.reserve(reads.size() + 1);
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (reads[i].error) std::rethrow_exception(reads[i].error);
    runs.push_back({.name = names[i], .record = std::move(*reads[i].record)});
  }
  if (!journals.empty()) {
    runs.push_back({.name = journal_name, .record = model::read_run(journals)});
  }
  return runs;
}

}  // namespace ringwise::app
