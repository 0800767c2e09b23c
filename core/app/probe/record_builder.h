// How rank 0 turns what the stages gave into the run record.
#pragma once

#include <string>
#include <vector>

#include "app/probe/options.h"
#include "app/probe/stage_runner.h"
#include "app/probe/stages.h"
#include "app/probe/world.h"
#include "model/record.h"

namespace ringwise::app {

/// UTC now as "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

/// What the record says of the whole run, as an exit code.
[[nodiscard]] int exit_code_of(const model::RunRecord& record);

class RecordBuilder {
 public:
  /// `world` with its introductions, so only at rank 0.
  RecordBuilder(const ProbeOptions& options, const World& world);

  /// Takes one worker's outcome; `run` is its place in stage.runs.
  void add_run(const Stage& stage, std::size_t run, const StageOutcome& outcome);
  /// All runs of the stage are in, or given up.
  void finish_stage(const Stage& stage);
  void add_result(model::Result result) { record_.results.push_back(std::move(result)); }
  void add_problem(model::Problem problem) { record_.problems.push_back(std::move(problem)); }
  /// The run ends early: the record stays incomplete.
  void give_up() { is_given_up_ = true; }

  /// The record as it stands now.
  [[nodiscard]] model::RunRecord record() const;

 private:
  model::RunRecord record_;
  std::vector<std::vector<std::vector<model::Result>>> of_sets_;  ///< by set, then by run
  bool is_given_up_ = false;
};

}  // namespace ringwise::app
