// Rank 0's side of a stage: what every rank said in a round, and the answer to it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/probe/stage_runner.h"
#include "model/record.h"
#include "probe/stage.h"

namespace ringwise::app {

/// A worker's failure as its supervisor tells it, and back.
[[nodiscard]] std::string failure_text(const model::Problem& problem);

class Referee {
 public:
  /// `goes_on`: the stage goes on among the other ranks when a worker fails
  /// (Probe::survives_lost_ranks); else a failure ends it for all. `spec` outlives this.
  Referee(const probe::StageSpec& spec, bool goes_on);

  /// The answer to a round, one of stage_words.h. `texts`: by rank, absent for one that was silent.
  [[nodiscard]] std::string decide(const std::vector<std::optional<std::string>>& texts);

  /// Who has not said that it knows of the end waits for an answer that the network swallowed, and
  /// would end the run itself.
  void confirm(const std::vector<std::optional<std::string>>& texts);

  [[nodiscard]] bool is_lost() const { return !outcome_.lost.empty(); }

  [[nodiscard]] StageOutcome take_outcome() { return std::move(outcome_); }

 private:
  void take_ending(int rank, const std::string& text);
  /// Of all that failed so far, what is nearest to the cause.
  [[nodiscard]] std::string reason() const;
  [[nodiscard]] std::string exchange(const std::vector<std::optional<std::string>>& texts) const;

  const probe::StageSpec& spec_;
  bool goes_on_;
  StageOutcome outcome_;
  std::vector<model::Problem> seen_;  ///< workers' failures, and those in their reports
  std::vector<std::string> endings_;  ///< by rank, why it takes no further part; empty = it does
};

}  // namespace ringwise::app
