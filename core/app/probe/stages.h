// Which stages a run has, and what each worker of a stage is told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/probe/options.h"
#include "app/probe/settings.h"
#include "app/probe/world.h"
#include "probe/stage.h"

namespace ringwise::app {

/// One probe, measured by one worker a rank, or by one a set of settings and block.
struct Stage {
  std::string probe;
  /// In the order in which they run; all give results of the same probe.
  std::vector<probe::StageSpec> runs;
  std::vector<int> set_of_run;  ///< index into `sets`, one for each of `runs`
  std::vector<SettingsSet> sets;
};

/// The stages in their order, mpi-allreduce last and without runs. The time budget is shared by
/// the probes' weights; without a given one, a sweep gets time for each configuration on top.
/// `rank` of the specs is not set.
[[nodiscard]] std::vector<Stage> plan_stages(const ProbeOptions& options, const World& world,
                                             const std::vector<SettingsSet>& sets);

/// --time-budget, or its default: 60 s up to 16 nodes and 20 s more with every doubling.
[[nodiscard]] double time_budget_s(const ProbeOptions& options, int nodes);

/// What all stages together aim at.
[[nodiscard]] double planned_s(const std::vector<Stage>& stages);

/// Longest time that a data connection may stand still: a quarter of the stage's time-out, between
/// 0.5 and 5 s, so that it is found before the stage is killed.
[[nodiscard]] double stall_s(double stage_timeout_s);

}  // namespace ringwise::app
