// /dev/shm: large enough for NCCL's shared memory transport.
#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"
#include "recommend/advice/rows.h"
#include "recommend/pod_plan.h"

namespace ringwise::recommend {
namespace {

constexpr const char* kId = "shm-size";

/// "Now measured: 64 MiB on pod1 (the least of 3 hosts)".
std::string measured(const Evidence& evidence, const model::Host*& least) {
  for (const auto* host : evidence.hosts) {
    if (!host->shm.size_bytes) continue;
    if (least == nullptr || *host->shm.size_bytes < *least->shm.size_bytes) least = host;
  }
  if (least == nullptr) return "Its size now was not measured";
  return fmt::format("Now measured: {} on {}, the least of {} host{}",
                     base::format_bytes(*least->shm.size_bytes), base::printable(least->host),
                     evidence.hosts.size(), evidence.hosts.size() == 1 ? "" : "s");
}

model::Advice volume(const PodPlan& pod, const std::string& now) {
  model::Advice advice;
  advice.id = kId;
  const bool is_too_much_for_default = pod.shm.bytes > kContainerShmBytes;
  advice.state =
      is_too_much_for_default ? model::AdviceState::kRequired : model::AdviceState::kPredicted;
  advice.name = "spec.volumes[dshm].emptyDir.sizeLimit";
  advice.value = gibibytes(pod.shm_bytes);
  advice.where = "pod";
  const auto use =
      pod.shm.bytes == 0
          ? std::string("one rank a node makes no shared memory connection")
          : fmt::format(
                "NCCL's shared memory transport takes up to {}: {}. The value is twice that "
                "in whole GiB",
                base::format_bytes(pod.shm.bytes), pod.shm.derivation);
  advice.reason = fmt::format(
      "{}; NCCL's documentation asks containers for at least {}, and they have {} by default. "
      "{}",
      use, gibibytes(kLeastShmGib << 30), base::format_bytes(kContainerShmBytes), now);
  advice.nccl_versions = "all; since 2.22 the segments appear at the first use of an algorithm";
  advice.verify = "df -h /dev/shm in the pod";
  advice.undo = "remove the volume dshm and its mount";
  advice.cost = "what is used of it counts against the pod's memory limit";
  return advice;
}

}  // namespace

std::vector<model::Advice> advise_shm_size(const Evidence& evidence) {
  if (!evidence.is_complete) {
    return {not_enough(kId, "spec.volumes[dshm].emptyDir.sizeLimit", "pod", evidence.why_not)};
  }
  const auto pod = pod_plan(evidence);
  const model::Host* least = nullptr;
  const auto now = measured(evidence, least);
  std::vector<model::Advice> advices{volume(pod, now)};
  const bool is_host = least != nullptr && !least->pod && !least->container;
  if (is_host && *least->shm.size_bytes < pod.shm.bytes) {
    model::Advice host;
    host.id = kId;
    host.state = model::AdviceState::kRequired;
    host.name = "size of /dev/shm";
    host.value = gibibytes(pod.shm_bytes);
    host.where = "host";
    host.reason = fmt::format("{}; a job without containers needs up to {}", now,
                              base::format_bytes(pod.shm.bytes));
    host.nccl_versions = "all";
    host.verify = "df -h /dev/shm";
    host.undo = "mount -o remount,size=OLD /dev/shm";
    host.cost = "memory, as far as it is used (mount -o remount,size=" + gibibytes(pod.shm_bytes) +
                " /dev/shm as root, or /etc/fstab)";
    advices.push_back(std::move(host));
  }
  return advices;
}

}  // namespace ringwise::recommend
