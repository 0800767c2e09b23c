// One stage as the supervisors see it: a worker each, in lockstep over the control plane.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comm/control_plane.h"
#include "model/record.h"
#include "probe/stage.h"

namespace ringwise::app {

/// What rank 0 knows of a stage when it is over.
struct StageOutcome {
  std::vector<std::optional<model::StageReport>> reports;  ///< by rank; absent = none came
  std::vector<model::Problem> problems;  ///< workers that died or were killed, the first one first
  std::vector<int> lost;                 ///< ranks whose supervisor stayed silent: the run is over
};

/// What the supervisor is told while the stage runs, on its own rank.
struct StageEvents {
  std::function<void(std::string_view)> step;               ///< the worker's last step
  std::function<void(double, std::string_view)> progress;   ///< share done, what
  std::function<void(const model::StageReport&)> reported;  ///< this rank's report
  std::function<void(const model::Problem&)> failed;        ///< this rank's worker gave none
};

/// Runs the stage: starts the worker, passes its exchanges on, kills it at spec.timeout_s. Ends
/// at the latest a few seconds after that. At rank 0 returns everyone's outcome, elsewhere an
/// empty one. Throws Error(kTimeout) elsewhere when rank 0 stays silent, and Error(kPeer) when
/// this process got a signal. Collective.
StageOutcome run_stage(comm::ControlPlane& plane, const probe::StageSpec& spec,
                       const StageEvents& events);

/// How long after a stage's time-out rank 0 waits for the other supervisors.
inline constexpr std::chrono::seconds kStageGrace{2};

}  // namespace ringwise::app
