#include "model/journal_endings.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace ringwise::model {
namespace {

/// More ranks than this are named in one line.
constexpr std::size_t kMostLines = 8;
constexpr const char* kLost = "rank-lost";  ///< sign of its problems
constexpr const char* kStage = "run";

/// "rank 3" or "ranks 0-2, 7". `ranks` ascends.
std::string rank_list(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (i > 0) text += ", ";
    text += last == i ? fmt::format("{}", ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[last]);
    i = last + 1;
  }
  return text;
}

Problem problem_of(std::string text, std::optional<int> rank = std::nullopt) {
  Problem problem;
  problem.stage = kStage;
  problem.rank = rank;
  problem.text = std::move(text);
  return problem;
}

struct Endings {
  std::vector<int> missing;
  std::vector<int> silent;
  std::vector<int> signalled;
  std::set<int> accused;  ///< by ranks that gave up on them, and said so
  int signal = 0;         ///< that stopped the first of them
};

/// The rank that this journal's rank gave up on before it ended the run itself.
std::optional<int> given_up_on(const Journal& journal) {
  for (const Problem& problem : journal.problems) {
    if (problem.stage == kStage && problem.rank && *problem.rank != journal.begin.rank.rank) {
      return problem.rank;
    }
  }
  return std::nullopt;
}

Endings sort_endings(int ranks, const JournalsByRank& journals) {
  Endings endings;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto found = journals.find(rank);
    if (found == journals.end()) {
      endings.missing.push_back(rank);
      continue;
    }
    const Journal& journal = *found->second;
    if (const auto other = given_up_on(journal)) {
      endings.accused.insert(*other);
      continue;
    }
    if (journal.signal) {
      if (endings.signalled.empty()) endings.signal = journal.signal->signal;
      endings.signalled.push_back(rank);
    } else if (!journal.ended) {
      endings.silent.push_back(rank);
    }
  }
  return endings;
}

/// The stage that had begun and not ended when the journal stops.
const Journal::Stage* open_stage(const Journal& journal) {
  if (journal.stages.empty() || journal.stages.back().outcome) return nullptr;
  return &journal.stages.back();
}

std::string where_it_stops(const Journal& journal) {
  if (const Journal::Stage* stage = open_stage(journal)) {
    return fmt::format("in stage {}{}", stage->stage,
                       stage->step ? fmt::format(" ({})", *stage->step) : "");
  }
  if (journal.stages.empty()) return "before its first stage";
  return fmt::format("after stage {}", journal.stages.back().stage);
}

Problem silent_rank(int rank, const Journal& journal) {
  const std::string& host = journal.begin.host.host;
  Problem problem = problem_of(
      fmt::format("rank {} on {} was killed, or its host was lost, {}: its journal stops there",
                  rank, host, where_it_stops(journal)),
      rank);
  problem.host = host;
  if (const Journal::Stage* stage = open_stage(journal)) {
    problem.stage = stage->stage;
    problem.step = stage->step;
  }
  return problem;
}

void add_missing(RunRecord& record, const std::vector<int>& missing) {
  constexpr const char* kText = "left no journal: never started, or the file is not here";
  if (missing.empty()) return;
  if (missing.size() > kMostLines) {
    record.problems.push_back(problem_of(fmt::format("{} {}", rank_list(missing), kText)));
    return;
  }
  for (const int rank : missing) {
    record.problems.push_back(problem_of(fmt::format("rank {} {}", rank, kText), rank));
  }
}

void add_silent(RunRecord& record, const std::vector<int>& silent, const JournalsByRank& journals) {
  // Where no journal goes on or ends, the run may still be going.
  const bool is_everyone = silent.size() == journals.size();
  const bool is_whole_run = silent.size() > 1 && is_everyone;
  if (!is_whole_run && silent.size() <= kMostLines) {
    for (const int rank : silent) {
      record.problems.push_back(silent_rank(rank, *journals.at(rank)));
      if (!is_everyone) record.problems.back().sign = kLost;
    }
    return;
  }
  const std::string what = is_whole_run ? "the whole run was killed at once, or is still going"
                                        : "they were killed, or their hosts were lost";
  Problem problem = problem_of(
      fmt::format("the journals of {} stop without a word, rank {}'s {}: {}", rank_list(silent),
                  silent.front(), where_it_stops(*journals.at(silent.front())), what));
  if (const Journal::Stage* stage = open_stage(*journals.at(silent.front()))) {
    problem.stage = stage->stage;
  }
  if (!is_everyone) problem.sign = kLost;
  record.problems.push_back(std::move(problem));
}

void add_signalled(RunRecord& record, Endings endings) {
  // Being ended by the launcher in the end clears nobody whom the others found silent before.
  std::erase_if(endings.signalled, [&](int rank) { return endings.accused.contains(rank); });
  if (endings.signalled.empty()) return;
  const bool has_culprit =
      !endings.silent.empty() || !endings.missing.empty() || !endings.accused.empty();
  record.problems.push_back(problem_of(
      fmt::format("{} {} stopped by signal {}{}", rank_list(endings.signalled),
                  endings.signalled.size() == 1 ? "was" : "were", endings.signal,
                  has_culprit ? " after that, by the launcher: not the cause"
                              : ", by the launcher or a person: the cause lies outside the run")));
}

void add_damage(RunRecord& record, const JournalsByRank& journals) {
  for (const auto& [rank, journal] : journals) {
    const auto add = [&, rank = rank](const std::string& text) {
      record.problems.push_back(
          problem_of(fmt::format("journal of rank {}: {}", rank, text), rank));
    };
    if (journal->is_truncated) add("the last line was cut off in writing, and left out");
    for (std::size_t i = 0; i < std::min(journal->notes.size(), kMostLines); ++i) {
      add(fmt::format("left out {}", journal->notes[i]));
    }
    if (journal->notes.size() > kMostLines) {
      add(fmt::format("left out {} further lines", journal->notes.size() - kMostLines));
    }
  }
}

}  // namespace

void add_endings(RunRecord& record, const JournalsByRank& journals) {
  const std::size_t before = record.problems.size();
  const Endings endings = sort_endings(record.launch.ranks, journals);
  add_missing(record, endings.missing);
  std::vector<int> silent = endings.silent;
  std::erase_if(silent, [&](int rank) { return endings.accused.contains(rank); });
  add_silent(record, silent, journals);
  add_signalled(record, endings);
  add_damage(record, journals);
  if (record.problems.size() > before || !endings.accused.empty()) return;
  record.problems.push_back(
      problem_of("every rank left in good order, but the run's record is not here: "
                 "this is what the journals hold"));
}

}  // namespace ringwise::model
