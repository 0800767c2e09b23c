#include "app/probe/record_builder.h"

#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/exit_code.h"
#include "app/version.h"
#include "comm/control_plane.h"
#include "model/problem_order.h"
#include "probe/merge.h"
#include "system/mode.h"

namespace ringwise::app {
namespace {

model::Launch launch_of(const ProbeOptions& options, const World& world) {
  model::Launch launch;
  launch.asked_ranks = options.expect_ranks ? options.expect_ranks : comm::launcher_ranks();
  launch.asked_nodes = options.expect_nodes ? options.expect_nodes : comm::launcher_nodes();
  launch.ranks = static_cast<int>(world.hosts.size());
  launch.nodes = world.nodes;
  launch.launcher = comm::detect_launcher();
  launch.ranks_per_node.resize(static_cast<std::size_t>(world.nodes));
  for (const int host : world.host_of_rank) {
    ++launch.ranks_per_node[static_cast<std::size_t>(host)];
  }
  return launch;
}

}  // namespace

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

int exit_code_of(const model::RunRecord& record) {
  std::size_t ok = 0;
  bool has_refusal = false;
  for (const auto& result : record.results) {
    if (result.status == model::Status::kOk) ++ok;
    has_refusal = has_refusal || result.status == model::Status::kFailed;
  }
  if (!record.complete || has_refusal) return static_cast<int>(ExitCode::kNotMeasured);
  return static_cast<int>(ok == 0 ? ExitCode::kSkipped : ExitCode::kOk);
}

RecordBuilder::RecordBuilder(const ProbeOptions& options, const World& world) {
  record_.tool.version = std::string(version());
  record_.tool.features = feature_names();
  if (options.corrupt) record_.tool.features.emplace_back("test-hook-corrupt");
  record_.started = utc_now();
  record_.launch = launch_of(options, world);
  std::vector<bool> is_known(static_cast<std::size_t>(world.nodes), false);
  for (std::size_t i = 0; i < world.introductions.size(); ++i) {
    const auto& introduction = world.introductions[i];
    const auto place = static_cast<std::size_t>(world.host_of_rank[i]);
    if (!is_known[place]) record_.hosts.push_back(introduction.host);
    is_known[place] = true;
    record_.ranks.push_back(introduction.rank);
  }
  if (!world.introductions.empty()) {
    const auto& first = world.introductions.front();
    record_.mode = system::detect_mode(
        first.host, first.rank.interfaces.empty() ? "" : first.rank.interfaces.front());
  }
  record_.mode.label = options.mode;
  for (const auto& warning : world.warnings) {
    model::Problem problem;
    problem.stage = "launch";
    problem.text = warning;
    record_.problems.push_back(std::move(problem));
  }
}

void RecordBuilder::add_run(const Stage& stage, std::size_t run, const StageOutcome& outcome) {
  of_sets_.resize(stage.sets.size());
  auto merged = probe::merge_results(outcome.reports);
  std::vector<model::Problem> problems = outcome.problems;
  for (const auto& report : outcome.reports) {
    if (!report) continue;
    record_.counters.insert(record_.counters.end(), report->counters.begin(),
                            report->counters.end());
    problems.insert(problems.end(), report->problems.begin(), report->problems.end());
  }
  model::sort_problems(problems);
  if (merged.empty()) {
    model::Result result;
    result.probe = stage.probe;
    result.status = model::Status::kFailed;
    result.reason = problems.empty() ? "no rank reported it" : problems.front().text;
    merged.push_back(std::move(result));
  }
  // The reason of a failed result is the place that was found, not the first rank's view of it.
  for (auto& result : merged) {
    if (result.status != model::Status::kFailed || problems.empty()) continue;
    const auto& cause = problems.front();
    result.reason = fmt::format("rank {} ({}): {}", cause.rank.value_or(-1),
                                cause.host.value_or("?"), cause.text);
  }
  record_.problems.insert(record_.problems.end(), problems.begin(), problems.end());
  of_sets_[static_cast<std::size_t>(stage.set_of_run[run])].push_back(std::move(merged));
}

void RecordBuilder::finish_stage(const Stage& stage) {
  of_sets_.resize(stage.sets.size());
  for (std::size_t set = 0; set < of_sets_.size(); ++set) {
    for (auto& result : probe::join_blocks(of_sets_[set])) {
      result.settings_name.reset();
      if (stage.sets.size() > 1) result.settings_name = stage.sets[set].name;
      result.settings = stage.sets[set].values;
      record_.results.push_back(std::move(result));
    }
  }
  of_sets_.clear();
}

model::RunRecord RecordBuilder::record() const {
  model::RunRecord record = record_;
  record.ended = utc_now();
  record.complete = !is_given_up_;
  for (const auto& result : record.results) {
    if (result.status == model::Status::kFailed) record.complete = false;
  }
  return record;
}

}  // namespace ringwise::app
