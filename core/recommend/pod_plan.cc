#include "recommend/pod_plan.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/units.h"
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
  const auto* kind = kind_of(evidence.mode);
  return kind == nullptr ? PodNetwork::kUnknown : kind->network;
}

bool is_label(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const bool has_ends = !text.empty() && is_letter(text.front()) && is_letter(text.back());
  return has_ends && text.size() <= 253 && std::all_of(text.begin(), text.end(), [&](char c) {
           return is_letter(c) || c == '-' || c == '.';
         });
}

/// "network" or "namespace/network" by the grammar of Kubernetes names, which Multus keeps to; what
/// else an annotation holds does not get into a pod spec.
bool is_network_name(std::string_view name) {
  const auto slash = name.find('/');
  if (slash == std::string_view::npos) return is_label(name);
  return is_label(name.substr(0, slash)) && is_label(name.substr(slash + 1));
}

/// The network of an interface as all hosts tell it; empty when they differ or do not tell.
std::string network_name(const Evidence& evidence, const std::string& interface) {
  std::string name;
  for (const auto* host : evidence.hosts) {
    const auto found = std::find_if(host->networks.begin(), host->networks.end(),
                                    [&](const auto& one) { return one.interface == interface; });
    if (found == host->networks.end() || !is_network_name(found->name)) return {};
    if (!name.empty() && name != found->name) return {};
    name = found->name;
  }
  return name;
}

/// One for each measured interface: of the first host, since pods of a job are made alike.
std::vector<Attachment> attachments_of(const Evidence& evidence) {
  std::vector<Attachment> attachments;
  const auto measured = measured_path(evidence);
  if (!measured.path || measured.path->by_host.empty()) return attachments;
  for (const auto& interface : measured.path->by_host.begin()->second) {
    attachments.push_back({network_name(evidence, interface), interface});
  }
  return attachments;
}

int channels_of(const Evidence& evidence) {
  int channels = 2;
  for (const auto& usable : evidence.results) {
    channels = std::max(channels, usable.result->channels.value_or(0));
  }
  return channels;
}

/// CPUs of a list such as "0-3,8"; absent when it is none.
std::optional<int> count_of(const std::string& list) {
  std::int64_t count = 0;
  for (const auto& part : base::split(list, ',')) {
    const auto ends = base::split(part, '-');
    const auto first = ends.empty() ? std::nullopt : base::parse_int(ends.front());
    const auto last = ends.empty() ? std::nullopt : base::parse_int(ends.back());
    if (!first || !last || *last < *first || *last > 1'000'000) return std::nullopt;
    count += *last - *first + 1;
  }
  return static_cast<int>(count);
}

/// A container's own set of CPUs, as the static CPU manager gives it.
bool has_own_cpu_set(const model::Cpus& cpus) {
  return cpus.allowed_count && cpus.online && *cpus.allowed_count < *cpus.online && cpus.allowed &&
         cpus.cpuset == cpus.allowed;
}

/// CPUs that host or container has. What a launcher bound the measuring ranks to (mpirun binds to
/// cores by default) says nothing of them.
std::optional<int> cpus_of(const model::Host& host) {
  const auto& cpus = host.cpus;
  if (cpus.cpuset) return count_of(*cpus.cpuset);
  if (host.container || host.pod) return cpus.allowed_count;
  return cpus.online ? cpus.online : cpus.allowed_count;
}

void add_host(PodPlan& pod, const model::Host& host) {
  pod.ranks = std::max(pod.ranks, static_cast<int>(host.gpus.size()));
  const auto& cpus = host.cpus;
  const auto count = cpus_of(host);
  if (count && (pod.cpus_of_node == 0 || *count < pod.cpus_of_node)) pod.cpus_of_node = *count;
  if (cpus.quota_cpus && (!pod.quota_cpus || *cpus.quota_cpus < *pod.quota_cpus)) {
    pod.quota_cpus = cpus.quota_cpus;
  }
  pod.is_cpu_set_exclusive = pod.is_cpu_set_exclusive && has_own_cpu_set(cpus) && !cpus.quota_cpus;
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
  if (pod.network == PodNetwork::kMultus || pod.network == PodNetwork::kGke) {
    pod.attachments = attachments_of(evidence);
    pod.has_device = kind_of(evidence.mode)->has_device;
  }
  pod.ranks = std::max(1, evidence.ranks_per_node);
  pod.channels = channels_of(evidence);
  pod.is_cpu_set_exclusive = !evidence.hosts.empty();
  for (const auto* host : evidence.hosts) add_host(pod, *host);
  pod.uses_rdma = std::any_of(evidence.results.begin(), evidence.results.end(), [](const auto& u) {
    return u.result->transport == "verbs" || u.result->transport == "rdma";
  });
  pod.uses_rdma = pod.uses_rdma || evidence.constraints.needs_rdma;
  pod.needs_ipc_lock = pod.uses_rdma && !is_memlock_raised(evidence.hosts);
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

std::string multus_networks(const PodPlan& pod) {
  std::vector<std::string> items;
  items.reserve(pod.attachments.size());
  for (const auto& one : pod.attachments) {
    items.push_back(one.name.empty() ? kNetworkPlaceholder : one.name + "@" + one.interface);
  }
  return base::join(items, ",");
}

std::string gke_interfaces(const PodPlan& pod) {
  std::string text = R"([{"interfaceName":"eth0","network":"default"})";
  for (const auto& one : pod.attachments) {
    text += fmt::format(R"(,{{"interfaceName":"{}","network":"{}"}})", one.interface,
                        one.name.empty() ? "<network>" : one.name);
  }
  return text + "]";
}

std::string gibibytes(std::uint64_t bytes) {
  return fmt::format("{}Gi", whole_gib(bytes));
}

}  // namespace ringwise::recommend
