#include "recommend/pod_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "recommend/measured_path.h"

namespace ringwise::recommend {
namespace {

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

std::uint64_t whole_gib(std::uint64_t bytes) {
  return (bytes + kGib - 1) / kGib;
}

/// A network between hosts must have been measured: one host's own interfaces are no evidence.
PodNetwork network_of(const Evidence& evidence) {
  if (evidence.nodes < 2 || !measured_path(evidence).path) return PodNetwork::kUnknown;
  if (evidence.mode == "host") return PodNetwork::kHost;
  if (evidence.mode == "multus") return PodNetwork::kMultus;
  if (evidence.mode == "overlay") return PodNetwork::kOverlay;
  return PodNetwork::kUnknown;
}

int channels_of(const Evidence& evidence) {
  int channels = 2;
  for (const auto& usable : evidence.results) {
    channels = std::max(channels, usable.result->channels.value_or(0));
  }
  return channels;
}

void add_host(PodPlan& pod, const model::Host& host) {
  pod.ranks = std::max(pod.ranks, static_cast<int>(host.gpus.size()));
  const auto& cpus = host.cpus;
  if (cpus.allowed_count && (pod.cpus_of_node == 0 || *cpus.allowed_count < pod.cpus_of_node)) {
    pod.cpus_of_node = *cpus.allowed_count;
  }
  if (cpus.quota_cpus && (!pod.quota_cpus || *cpus.quota_cpus < *pod.quota_cpus)) {
    pod.quota_cpus = cpus.quota_cpus;
  }
  const bool is_bound = cpus.allowed_count && cpus.online && *cpus.allowed_count < *cpus.online;
  pod.is_cpu_set_exclusive = pod.is_cpu_set_exclusive && is_bound && !cpus.quota_cpus;
}

/// 8 GiB a rank, but not more than half of the smallest host's memory, nor than its cgroup allows.
std::uint64_t job_gib(const Evidence& evidence, const PodPlan& pod) {
  std::uint64_t gib = kJobGibPerRank * static_cast<std::uint64_t>(pod.ranks);
  for (const auto* host : evidence.hosts) {
    if (host->memory.total_bytes) gib = std::min(gib, *host->memory.total_bytes / 2 / kGib);
  }
  return std::max<std::uint64_t>(1, gib);
}

}  // namespace

PodPlan pod_plan(const Evidence& evidence) {
  PodPlan pod;
  pod.network = network_of(evidence);
  pod.ranks = std::max(1, evidence.ranks_per_node);
  pod.channels = channels_of(evidence);
  pod.is_cpu_set_exclusive = !evidence.hosts.empty();
  for (const auto* host : evidence.hosts) add_host(pod, *host);
  pod.uses_rdma = std::any_of(evidence.results.begin(), evidence.results.end(), [](const auto& u) {
    return u.result->transport == "verbs" || u.result->transport == "rdma";
  });
  // Two communicators: frameworks keep a second one (data and model parallel, or a barrier's).
  pod.shm = plan::shm_estimate({.ranks_on_node = pod.ranks,
                                .nodes = evidence.nodes,
                                .channels = pod.channels,
                                .communicators = 2});
  pod.shm_bytes = std::max(kLeastShmGib, whole_gib(2 * pod.shm.bytes)) * kGib;
  // One for the process itself and one for NCCL's proxy thread, which moves all of its sockets'
  // data.
  pod.cpus = 2 * pod.ranks;
  if (pod.cpus_of_node > 0) pod.cpus = std::max(1, std::min(pod.cpus, pod.cpus_of_node));
  if (pod.quota_cpus) pod.cpus = std::max(pod.cpus, static_cast<int>(*pod.quota_cpus));
  pod.job_bytes = job_gib(evidence, pod) * kGib;
  pod.memory_bytes = pod.job_bytes + pod.shm_bytes;
  return pod;
}

std::string gibibytes(std::uint64_t bytes) {
  return fmt::format("{}Gi", whole_gib(bytes));
}

}  // namespace ringwise::recommend
