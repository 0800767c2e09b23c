// The pod spec as YAML: a whole pod, and a patch for a Job that is already there.
#pragma once

#include <string>
#include <vector>

#include "model/advice.h"
#include "recommend/env_files.h"
#include "recommend/pod_plan.h"

namespace ringwise::recommend {

/// Name of the container in both files: a strategic-merge patch finds the container by it.
inline constexpr const char* kContainer = "training";

/// pod.yaml and pod.patch.yaml. Settings that hold on every host are in the container's
/// environment; values of single hosts are not (the pod does not know where it will run).
[[nodiscard]] std::vector<OutputFile> pod_files(const PodPlan& pod,
                                                const std::vector<model::Advice>& advice,
                                                const std::string& origin);

}  // namespace ringwise::recommend
