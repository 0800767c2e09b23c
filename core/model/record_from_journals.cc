// The record of a run that wrote none, from what its ranks' journals hold.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "model/journal.h"
#include "model/journal_endings.h"
#include "model/mode_label.h"
#include "model/problem_order.h"

namespace ringwise::model {
namespace {

/// No run is larger; a larger number is a damaged file.
constexpr int kMostRanks = 1 << 20;

/// The journals by rank. Throws when they cannot be of one run.
JournalsByRank by_rank(std::span<const Journal> journals) {
  if (journals.empty()) throw Error(ErrorKind::kUsage, "there is no journal");
  JournalsByRank ranks;
  const JournalBegin& first = journals.front().begin;
  for (const Journal& journal : journals) {
    const JournalBegin& begin = journal.begin;
    const int rank = begin.rank.rank;
    if (begin.launch.ranks != first.launch.ranks) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("the journals are of different runs: rank {} is one of {} ranks, "
                              "rank {} one of {}",
                              first.rank.rank, first.launch.ranks, rank, begin.launch.ranks));
    }
    if (begin.run != first.run) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("the journals are of different runs: that of rank {} begins at {}, "
                              "that of rank {} at {}",
                              first.rank.rank, first.started, rank, begin.started));
    }
    if (rank < 0 || rank >= begin.launch.ranks || begin.launch.ranks > kMostRanks) {
      throw Error(ErrorKind::kUsage, fmt::format("a journal says that it is of rank {} of {} ranks",
                                                 rank, begin.launch.ranks));
    }
    if (!ranks.emplace(rank, &journal).second) {
      throw Error(ErrorKind::kUsage, fmt::format("there are two journals of rank {}", rank));
    }
  }
  return ranks;
}

/// A stage of the run: the same name can come several times.
struct StageKey {
  std::string name;
  int occurrence = 0;
  bool operator==(const StageKey&) const = default;
};

/// Calls `use(key)` for each name, with how often it came before.
template <typename Names, typename NameOf, typename Use>
void for_each_key(const Names& names, NameOf name_of, Use use) {
  std::map<std::string, int> seen;
  for (const auto& entry : names) {
    const std::string& name = name_of(entry);
    use(StageKey{name, seen[name]++}, entry);
  }
}

/// What the ranks have of one stage.
struct StageState {
  StageKey key;
  bool has_begun = false;
  std::map<int, const JournalStage*> outcomes;
};

/// In the order of the plan, then as further ones began.
std::vector<StageState> stages_of(const JournalsByRank& journals) {
  std::vector<StageState> stages;
  const auto state_of = [&](const StageKey& key) -> StageState& {
    const auto found = std::find_if(stages.begin(), stages.end(),
                                    [&](const StageState& state) { return state.key == key; });
    if (found != stages.end()) return *found;
    return stages.emplace_back(StageState{key, false, {}});
  };
  for (const auto& [rank, journal] : journals) {
    for_each_key(
        journal->begin.plan, [](const std::string& name) -> const std::string& { return name; },
        [&](const StageKey& key, const std::string&) { (void)state_of(key); });
  }
  for (const auto& [rank, journal] : journals) {
    for_each_key(
        journal->stages,
        [](const Journal::Stage& stage) -> const std::string& { return stage.stage; },
        [&, rank = rank](const StageKey& key, const Journal::Stage& stage) {
          StageState& state = state_of(key);
          state.has_begun = true;
          if (stage.outcome) state.outcomes[rank] = &*stage.outcome;
        });
  }
  return stages;
}

/// For a stage that gave no results: one that says so.
Result result_without_numbers(const StageState& stage, const Launch& launch) {
  Result result;
  result.probe = stage.key.name;
  result.status = Status::kFailed;
  result.ranks = launch.ranks;
  result.nodes = launch.nodes;
  if (!stage.outcomes.empty()) {
    const JournalStage& outcome = *stage.outcomes.begin()->second;
    const bool is_whole = stage.outcomes.size() == static_cast<std::size_t>(launch.ranks);
    if (is_whole) result.status = outcome.status;
    result.reason = outcome.reason;
    if (!result.reason && result.status != Status::kOk) result.reason = "no rank gave results";
    return result;
  }
  result.reason = stage.has_begun ? "not measured: the run was broken off in it"
                                  : "not measured: the run was broken off before it";
  return result;
}

void add_stage(RunRecord& record, const StageState& stage, const MergeReports& merge) {
  std::vector<Result> results;
  bool has_results = false;
  std::vector<std::optional<StageReport>> reports(static_cast<std::size_t>(record.launch.ranks));
  for (const auto& [rank, outcome] : stage.outcomes) {
    const StageReport& report = outcome->report;
    has_results = has_results || !report.results.empty();
    reports[static_cast<std::size_t>(rank)] = report;
    record.counters.insert(record.counters.end(), report.counters.begin(), report.counters.end());
  }
  if (has_results) results = merge(reports);
  if (results.empty()) results.push_back(result_without_numbers(stage, record.launch));
  std::move(results.begin(), results.end(), std::back_inserter(record.results));
}

/// Several ranks may say the same of one: once is enough.
void add_once(std::vector<Problem>& problems, const Problem& problem) {
  const bool is_known = std::any_of(problems.begin(), problems.end(), [&](const Problem& known) {
    return known.stage == problem.stage && known.rank == problem.rank && known.text == problem.text;
  });
  if (!is_known) problems.push_back(problem);
}

/// What the ranks said in a stage, the nearest to the cause first.
/// `is_last`: of the stages of this name, which the journals' own lines do not tell apart.
std::vector<Problem> problems_of(const StageState& stage, const JournalsByRank& journals,
                                 bool is_last) {
  std::vector<Problem> problems;
  for (const auto& [rank, outcome] : stage.outcomes) {
    for (const Problem& problem : outcome->report.problems) problems.push_back(problem);
  }
  for (const auto& [rank, journal] : journals) {
    for (const Problem& problem : journal->problems) {
      if (is_last && problem.stage == stage.key.name) add_once(problems, problem);
    }
  }
  sort_problems(problems);
  return problems;
}

/// How the run ended: what ranks said of the whole run, then how their journals end.
std::vector<Problem> problems_of_run(const RunRecord& record, const std::vector<StageState>& stages,
                                     const JournalsByRank& journals) {
  RunRecord ending;
  ending.launch = record.launch;
  for (const auto& [rank, journal] : journals) {
    for (const Problem& problem : journal->problems) {
      const bool is_of_stage =
          std::any_of(stages.begin(), stages.end(),
                      [&](const StageState& stage) { return stage.key.name == problem.stage; });
      if (!is_of_stage) add_once(ending.problems, problem);
    }
  }
  add_endings(ending, journals);
  return ending.problems;
}

/// The stage that a journal without an end stops in.
bool is_broken_off(const std::string& name, const JournalsByRank& journals) {
  return std::any_of(journals.begin(), journals.end(), [&](const auto& entry) {
    const Journal& journal = *entry.second;
    return !journal.ended && !journal.stages.empty() && !journal.stages.back().outcome &&
           journal.stages.back().stage == name;
  });
}

/// What ended the run stands before what the stage that it broke off says: there its neighbours
/// tell of the consequences.
void add_problems(RunRecord& record, const std::vector<StageState>& stages,
                  const JournalsByRank& journals) {
  const auto add = [&](const std::vector<Problem>& more) {
    record.problems.insert(record.problems.end(), more.begin(), more.end());
  };
  bool is_ending_told = false;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const std::string& name = stages[i].key.name;
    const bool is_last =
        std::none_of(stages.begin() + static_cast<std::ptrdiff_t>(i) + 1, stages.end(),
                     [&](const StageState& later) { return later.key.name == name; });
    if (is_last && !is_ending_told && is_broken_off(name, journals)) {
      add(problems_of_run(record, stages, journals));
      is_ending_told = true;
    }
    add(problems_of(stages[i], journals, is_last));
  }
  if (!is_ending_told) add(problems_of_run(record, stages, journals));
}

void add_hosts(RunRecord& record, const JournalsByRank& journals) {
  std::set<std::string> seen;
  for (const auto& [rank, journal] : journals) {
    record.ranks.push_back(journal->begin.rank);
    if (seen.insert(journal->begin.host.host).second) {
      record.hosts.push_back(journal->begin.host);
    }
  }
  record.launch.nodes = std::max(record.launch.nodes, static_cast<int>(record.hosts.size()));
}

/// The detected mode stands only where the ranks agree; else it is unknown.
void add_mode(RunRecord& record, const JournalsByRank& journals) {
  record.mode = journals.begin()->second->begin.mode;
  for (const auto& [rank, journal] : journals) {
    const Mode& mode = journal->begin.mode;
    if (!record.mode.label) record.mode.label = mode.label;
    if (mode.detected != journals.begin()->second->begin.mode.detected) {
      record.mode.detected = kUnknownMode;
    }
    for (const std::string& line : mode.evidence) {
      auto& evidence = record.mode.evidence;
      if (std::find(evidence.begin(), evidence.end(), line) == evidence.end()) {
        evidence.push_back(line);
      }
    }
  }
}

/// First start and last sign of life. The texts are UTC in one format, so they sort by time.
void add_times(RunRecord& record, const JournalsByRank& journals) {
  record.started = journals.begin()->second->begin.started;
  for (const auto& [rank, journal] : journals) {
    record.started = std::min(record.started, journal->begin.started);
    record.ended = std::max(record.ended, journal->ended.value_or(""));
    if (journal->signal) record.ended = std::max(record.ended, journal->signal->at.value_or(""));
  }
}

}  // namespace

std::vector<Result> keep_lowest_rank(std::span<const std::optional<StageReport>> by_rank) {
  const StageReport* first = nullptr;
  std::size_t reported = 0;
  for (const std::optional<StageReport>& report : by_rank) {
    if (!report) continue;
    if (first == nullptr) first = &*report;
    ++reported;
  }
  if (first == nullptr) return {};
  std::vector<Result> results = first->results;
  if (reported == by_rank.size()) return results;
  for (Result& result : results) {
    result.status = Status::kFailed;
    result.reason = fmt::format("only {} of {} ranks reported", reported, by_rank.size());
  }
  return results;
}

RunRecord record_from_journals(std::span<const Journal> journals, const MergeReports& merge) {
  const JournalsByRank ranks = by_rank(journals);
  const JournalBegin& first = ranks.begin()->second->begin;
  RunRecord record;
  record.tool = first.tool;
  record.launch = first.launch;
  add_times(record, ranks);
  add_mode(record, ranks);
  add_hosts(record, ranks);
  const auto stages = stages_of(ranks);
  for (const StageState& stage : stages) add_stage(record, stage, merge);
  add_problems(record, stages, ranks);
  return record;
}

}  // namespace ringwise::model
