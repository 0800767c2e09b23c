#include "recommend/modes.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/units.h"
#include "knowledge/vendor_profiles.h"
#include "model/mode_label.h"

namespace ringwise::recommend {
namespace {

constexpr std::string_view kSecondaryCost =
    "NetworkPolicy does not cover the secondary interface, and each pod takes an address of that "
    "network";
constexpr std::string_view kDeviceCost =
    "NetworkPolicy does not cover the secondary interface, and each pod takes a device: a node "
    "runs no more such pods than it has devices";
constexpr std::string_view kHostCost =
    "NetworkPolicy no longer applies and every port of the pod is a port of the node, sshd's too "
    "(use 2222, not 22); Pod Security needs a privileged namespace; where a cheaper network was "
    "measured too, this is advised only for a gain beyond the interval and 10 %";

constexpr std::array<ModeKind, 5> kKinds{{
    {.name = "overlay",
     .network = PodNetwork::kOverlay,
     .has_device = false,
     .gain = 1,
     .cost = {}},
    {.name = "multus",
     .network = PodNetwork::kMultus,
     .has_device = false,
     .gain = kSecondaryGain,
     .cost = kSecondaryCost},
    {.name = "gke",
     .network = PodNetwork::kGke,
     .has_device = false,
     .gain = kSecondaryGain,
     .cost = kSecondaryCost},
    {.name = "multus-device",
     .network = PodNetwork::kMultus,
     .has_device = true,
     .gain = kSecondaryGain,
     .cost = kDeviceCost},
    {.name = "host",
     .network = PodNetwork::kHost,
     .has_device = false,
     .gain = kHostGain,
     .cost = kHostCost},
}};

/// A detected mode and the place of its kind above.
struct Class {
  std::string_view mode;
  std::size_t kind;
};
constexpr std::array<Class, 10> kClasses{{{"overlay-tunnel", 0},
                                          {"overlay-native", 0},
                                          {"ipvlan-default", 0},
                                          {"multus-macvlan", 1},
                                          {"multus-ipvlan", 1},
                                          {"gke-multinet", 2},
                                          {"multus-hostdev", 3},
                                          {"multus-sriov-vf", 3},
                                          {"multus-ipoib", 3},
                                          {"host", 4}}};

/// RDMA that a process there can use: InfiniBand, or a RoCE GID whose interface is in this network
/// namespace. In the shared mode a pod sees the devices of the node without such GIDs.
bool has_rdma(const model::Host& host) {
  return std::any_of(host.rdma.begin(), host.rdma.end(), [](const auto& device) {
    return std::any_of(device.ports.begin(), device.ports.end(), [](const auto& port) {
      if (port.state != "ACTIVE") return false;
      return port.link_layer == "InfiniBand" ||
             std::any_of(port.gids.begin(), port.gids.end(),
                         [](const auto& gid) { return gid.netdev.has_value(); });
    });
  });
}

std::optional<std::string> without_rdma(std::span<const model::RunRecord* const> runs) {
  for (const auto* run : runs) {
    for (const auto& host : run->hosts) {
      if (!has_rdma(host)) {
        return fmt::format("the job needs RDMA, and {} showed no RDMA port that it can use there",
                           base::printable(host.host));
      }
    }
  }
  return std::nullopt;
}

const char* to_text(PodSecurity level) {
  return level == PodSecurity::kRestricted ? "restricted" : "baseline";
}

bool refuses_host_network(std::string_view provider) {
  const auto profiles = knowledge::vendor_profiles();
  return std::any_of(profiles.begin(), profiles.end(), [&](const auto& profile) {
    return profile.provider == provider && profile.refuses_host_network;
  });
}

std::set<std::string> classes_on(const model::Host& host, const std::string& label) {
  std::set<std::string> classes;
  for (const auto& part : base::split(label, '|')) {
    for (const auto& name : base::split(part, ',')) {
      for (const auto& interface : host.interfaces) {
        if (interface.name == name) classes.insert(interface.mode.value_or(""));
      }
    }
  }
  return classes;
}

}  // namespace

std::span<const ModeKind> mode_kinds() {
  return kKinds;
}

const ModeKind* kind_of(std::string_view mode) {
  const auto modes = model::modes_meant(mode);
  if (modes.empty()) return nullptr;
  const auto* const found = std::ranges::find(kClasses, modes.front(), &Class::mode);
  return found == kClasses.end() ? nullptr : &kKinds.at(found->kind);
}

bool is_memlock_raised(std::span<const model::Host* const> hosts) {
  return !hosts.empty() && std::all_of(hosts.begin(), hosts.end(), [](const auto* host) {
    return (host->pod || host->container) && host->limits.is_memlock_unlimited;
  });
}

std::optional<std::string> why_ruled_out(const ModeKind& kind, const Constraints& constraints,
                                         std::span<const model::RunRecord* const> runs) {
  const bool is_default = kind.network == PodNetwork::kOverlay;
  if (constraints.needs_network_policy && !is_default) {
    return kind.network == PodNetwork::kHost ? "NetworkPolicy does not apply to hostNetwork"
                                             : "NetworkPolicy does not cover a secondary interface";
  }
  const bool is_privileged = constraints.pod_security == PodSecurity::kUnknown ||
                             constraints.pod_security == PodSecurity::kPrivileged;
  // source: Kubernetes documentation, Pod Security Standards: host namespaces and added
  // capabilities such as IPC_LOCK are refused from "baseline" up.
  if (!is_privileged && kind.network == PodNetwork::kHost) {
    return fmt::format("the Pod Security level {} refuses hostNetwork",
                       to_text(constraints.pod_security));
  }
  if (kind.network == PodNetwork::kHost && refuses_host_network(constraints.provider)) {
    return fmt::format("the provider {} gives its tenants no hostNetwork", constraints.provider);
  }
  if (!constraints.needs_rdma) return std::nullopt;
  if (auto why = without_rdma(runs)) return why;
  std::vector<const model::Host*> hosts;
  for (const auto* run : runs) {
    for (const auto& host : run->hosts) hosts.push_back(&host);
  }
  if (!is_privileged && !is_memlock_raised(hosts)) {
    return fmt::format(
        "RDMA needs IPC_LOCK where the pods' memlock limit is not unlimited, and the Pod Security "
        "level {} refuses that capability",
        to_text(constraints.pod_security));
  }
  return std::nullopt;
}

std::string mode_of(const model::RunRecord& record) {
  const auto& mode = record.mode;
  const bool is_detected = mode.detected && *mode.detected != model::kUnknownMode;
  // The detected mode is the more exact one ("multus-macvlan" for the label "multus") unless the
  // label is no word for a mode.
  if (is_detected && kind_of(*mode.detected) != nullptr) return *mode.detected;
  return mode.label.value_or("");
}

std::string mode_of(const model::RunRecord& record, const model::Result& result) {
  std::set<std::string> classes;
  if (result.interface) {
    for (const auto& host : record.hosts) classes.merge(classes_on(host, *result.interface));
  }
  const bool is_one = classes.size() == 1 && kind_of(*classes.begin()) != nullptr;
  return is_one ? *classes.begin() : mode_of(record);
}

}  // namespace ringwise::recommend
