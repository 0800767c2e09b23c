// The security context: no more rights than the measured path needs.
#include <fmt/format.h>

#include "base/units.h"
#include "recommend/advice/rows.h"
#include "recommend/pod_plan.h"

namespace ringwise::recommend {
namespace {

constexpr const char* kId = "pod-security";
constexpr const char* kName = "spec.containers[].securityContext";

/// The least memlock limit that was seen, in words.
std::string memlock(const Evidence& evidence) {
  const model::Host* least = nullptr;
  for (const auto* host : evidence.hosts) {
    if (!host->limits.memlock_soft_bytes) continue;
    const bool is_less =
        least == nullptr || *host->limits.memlock_soft_bytes < *least->limits.memlock_soft_bytes;
    if (is_less) least = host;
  }
  if (least == nullptr) return {};
  return fmt::format("; the memlock limit is {} on {}",
                     base::format_bytes(*least->limits.memlock_soft_bytes),
                     base::printable(least->host));
}

}  // namespace

std::vector<model::Advice> advise_pod_security(const Evidence& evidence) {
  if (!evidence.is_complete) return {not_enough(kId, kName, "pod", evidence.why_not)};
  const auto pod = pod_plan(evidence);
  model::Advice advice;
  advice.id = kId;
  advice.state = model::AdviceState::kPredicted;
  advice.name = kName;
  advice.value = pod.needs_ipc_lock
                     ? "drop ALL, add IPC_LOCK; as root, since an added capability does "
                       "not reach another user"
                     : "runAsNonRoot, no privilege escalation, drop ALL, RuntimeDefault";
  advice.where = "pod";
  advice.reason =
      pod.needs_ipc_lock
          ? "RDMA registers memory, which the memlock limit bounds unless the pod has IPC_LOCK" +
                memlock(evidence)
      : pod.uses_rdma
          ? std::string(
                "RDMA registers memory, and the memlock limit of every measured pod is "
                "unlimited: IPC_LOCK is not needed")
          : "sockets and shared memory need no right at all; IPC_LOCK and a higher memlock limit "
            "are for RDMA, which was not measured" +
                memlock(evidence);
  advice.nccl_versions = "all";
  advice.verify = pod.network == PodNetwork::kHost || pod.needs_ipc_lock
                      ? "the namespace admits the pod: hostNetwork and IPC_LOCK are refused below "
                        "the Pod Security level privileged"
                      : "the namespace's Pod Security level restricted admits the pod";
  advice.undo = "remove securityContext";
  return {advice};
}

}  // namespace ringwise::recommend
