// CPUs and memory of the pod: whole CPUs, requests equal to limits.
#include <fmt/format.h>

#include "base/units.h"
#include "recommend/advice/rows.h"
#include "recommend/pod_plan.h"

namespace ringwise::recommend {
namespace {

constexpr const char* kId = "pod-resources";
constexpr const char* kCpu = "spec.containers[].resources cpu";
constexpr const char* kMemory = "spec.containers[].resources memory";

std::string about_manager(const PodPlan& pod) {
  if (pod.is_cpu_set_exclusive) {
    return "the measured processes were bound to a part of the CPUs and had no quota, as the "
           "static CPU manager gives them to such pods";
  }
  const auto seen = pod.quota_cpus
                        ? fmt::format("a quota of {:.3g} CPUs was seen", *pod.quota_cpus)
                        : std::string("the measured processes could use every CPU of the host");
  return seen +
         ": no static CPU manager. Without it the limit is a quota, and a quota can stop "
         "NCCL's communication threads in the middle of a transfer; turn on "
         "cpuManagerPolicy: static on the nodes, or watch nr_throttled in cpu.stat";
}

model::Advice cpu(const PodPlan& pod) {
  model::Advice advice;
  advice.id = kId;
  advice.state = model::AdviceState::kPredicted;
  advice.name = kCpu;
  advice.value = fmt::format("{}", pod.cpus);
  advice.where = "pod";
  advice.reason = fmt::format(
      "{} rank{} in the pod, each with a CPU for itself and one for NCCL's proxy thread, which "
      "moves the data of all its sockets{}; data loading comes on top. Whole CPUs with requests = "
      "limits make the pod Guaranteed, which the static CPU manager needs; {}",
      pod.ranks, pod.ranks == 1 ? "" : "s",
      pod.cpus_of_node > 0 && pod.cpus_of_node < 2 * pod.ranks
          ? fmt::format(" (bounded by the {} CPUs that the smallest host has)", pod.cpus_of_node)
          : "",
      about_manager(pod));
  advice.nccl_versions = "all";
  advice.verify =
      "kubectl get pod NAME -o jsonpath={.status.qosClass} prints Guaranteed, and "
      "nr_throttled in the pod's cpu.stat stays 0";
  advice.undo = "remove the cpu request and limit";
  advice.cost = "the CPUs are reserved whether they are used or not";
  return advice;
}

model::Advice memory(const PodPlan& pod) {
  model::Advice advice;
  advice.id = kId;
  advice.state = model::AdviceState::kPredicted;
  advice.name = kMemory;
  advice.value = gibibytes(pod.memory_bytes);
  advice.where = "pod";
  advice.reason = fmt::format(
      "{} of /dev/shm, which counts against the limit, and {} for the job itself: a placeholder "
      "({} GiB a rank, at most half of the smallest host), since the record does not know the "
      "job; put what it needs there",
      gibibytes(pod.shm_bytes), gibibytes(pod.job_bytes), kJobGibPerRank);
  advice.nccl_versions = "all";
  advice.verify = "the pod's memory.events shows oom_kill 0 after a step of the job";
  advice.undo = "remove the memory request and limit (the pod is then no longer Guaranteed)";
  return advice;
}

}  // namespace

std::vector<model::Advice> advise_pod_resources(const Evidence& evidence) {
  if (!evidence.is_complete) {
    return {not_enough(kId, kCpu, "pod", evidence.why_not)};
  }
  const auto pod = pod_plan(evidence);
  return {cpu(pod), memory(pod)};
}

}  // namespace ringwise::recommend
