// From run records to settings and a pod spec, each line with its reason.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/advice.h"
#include "recommend/evidence.h"
#include "recommend/pod_plan.h"

namespace ringwise::recommend {

struct Recommendation {
  std::vector<model::Advice> advice;  ///< in the registry's order, lines of the trial last
  std::vector<std::string>
      not_used;                    ///< results that nothing was drawn from, and why; one line each
  std::vector<std::string> hosts;  ///< names, as they stand in per_host
  std::optional<PodPlan> pod;      ///< absent: no run is complete, or nothing was measured
  std::string origin;              ///< the runs by name, and the world: for the files' headings
  bool is_complete = false;        ///< a complete run was there
  bool is_inconclusive = false;    ///< nothing was measured, or all of it is too noisy
};

/// Pure: the same runs and constraints give the same recommendation.
[[nodiscard]] Recommendation recommend(std::span<const InputRun> runs,
                                       const Constraints& constraints = {});

}  // namespace ringwise::recommend
