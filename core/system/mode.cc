#include "system/mode.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::system {
namespace {

using model::Host;
using model::Interface;

/// What the rules look at.
struct Scene {
  const Host& host;
  const Interface* measured = nullptr;  ///< the interface asked about, when it exists
  const Interface* primary = nullptr;   ///< the default route's, else the first usable one
  std::vector<const Interface*> nodes;  ///< devices that CNI plugins put on a node
};

/// One line of evidence and, where it decides by itself, the mode.
struct Finding {
  std::string text;
  std::optional<std::string> mode;
};
using Rule = std::optional<Finding> (*)(const Scene&);

/// Names that CNI plugins give to devices on a node, never inside a pod (source: flannel, Calico,
/// Cilium, AWS VPC CNI, OVN-Kubernetes and Kube-OVN documentation; bridge plugin default "cni0").
constexpr std::array<std::string_view, 15> kNodePrefixes{
    "cni0",           "flannel",  "cali", "tunl0",      "vxlan.calico",
    "wireguard.cali", "cilium_",  "lxc",  "eni",        "gke",
    "genev_sys_",     "ovn-k8s-", "ovn0", "kube-ipvs0", "nodelocaldns"};

bool is_on_node(const Interface& interface) {
  return std::ranges::any_of(
      kNodePrefixes, [&](std::string_view prefix) { return interface.name.starts_with(prefix); });
}

bool is_usable(const Interface& interface) {
  return interface.is_up && !interface.is_loopback && !interface.addresses.empty();
}

bool is_pod_veth(const Interface* interface) {
  return interface != nullptr && interface->kind == "veth" && interface->lower_namespace;
}

bool is_hardware(const Interface* interface) {
  return interface != nullptr && interface->kind.empty() && !interface->is_loopback &&
         (interface->driver || interface->pci_address);
}

std::string mtu_text(const Interface& interface) {
  return interface.mtu ? fmt::format("MTU {}", *interface.mtu) : "unknown MTU";
}

/// Bytes that tunnels take off common MTUs of nodes (source: Calico's MTU table, Cilium pkg/mtu,
/// flannel's backends): 50 and more off 1500; off 9000 and 9001 only the known header sizes, since
/// a jumbo MTU can have any other reason.
bool leaves_room_for_tunnel(std::int64_t mtu) {
  constexpr std::array<std::int64_t, 7> kHeaders{50, 58, 60, 70, 80, 100, 130};
  if (mtu <= 1450) return true;
  return std::ranges::any_of(kHeaders, [mtu](std::int64_t header) {
    return mtu == 9000 - header || mtu == 9001 - header;
  });
}

/// "multus-macvlan" for a secondary interface whose parent is outside this namespace.
std::optional<std::string> secondary_mode(const Interface& interface) {
  if (!interface.lower_namespace) return std::nullopt;
  for (const std::string_view kind : {"macvlan", "ipvlan", "ipoib"}) {
    if (interface.kind == kind) return fmt::format("multus-{}", kind);
  }
  return std::nullopt;
}

std::optional<std::string> value_of(const Host& host, const char* name) {
  const auto found = host.environment.find(name);
  if (found == host.environment.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

// ---- the rules, in the order of their weight ----

std::optional<Finding> same_address(const Scene& scene) {
  const auto pod = value_of(scene.host, "RINGWISE_POD_IP");
  const auto node = value_of(scene.host, "RINGWISE_HOST_IP");
  if (!pod || !node) return std::nullopt;
  if (*pod == *node) {
    return Finding{fmt::format("the pod's address is the node's ({}): hostNetwork", *pod), "host"};
  }
  return Finding{fmt::format("the pod's address {} is not the node's {}", *pod, *node), {}};
}

std::optional<Finding> node_devices(const Scene& scene) {
  if (scene.nodes.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const auto* device : scene.nodes) {
    if (names.size() == 4) break;
    names.push_back(device->kind.empty() ? device->name
                                         : fmt::format("{} ({})", device->name, device->kind));
  }
  return Finding{fmt::format("{} device{} of a node's CNI plugin: {}{}", scene.nodes.size(),
                             scene.nodes.size() == 1 ? "" : "s", base::join(names, ", "),
                             scene.nodes.size() > names.size() ? ", ..." : ""),
                 "host"};
}

std::optional<Finding> network_status(const Scene& scene) {
  if (scene.host.networks.empty()) return std::nullopt;
  std::vector<std::string> names;
  names.reserve(scene.host.networks.size());
  for (const auto& network : scene.host.networks) {
    names.push_back(fmt::format("{} on {}{}", network.name.empty() ? "(unnamed)" : network.name,
                                network.interface.value_or("no interface"),
                                network.is_default ? " (default)" : ""));
  }
  return Finding{"Multus' network-status lists " + base::join(names, ", "), {}};
}

std::optional<Finding> measured_interface(const Scene& scene) {
  if (scene.measured == nullptr || scene.measured == scene.primary) return std::nullopt;
  const auto mode = secondary_mode(*scene.measured);
  return Finding{
      fmt::format("the measured interface {} is {}{}, {}", scene.measured->name,
                  scene.measured->kind.empty() ? "no software device" : scene.measured->kind,
                  scene.measured->lower_namespace ? " over a device in another namespace" : "",
                  mtu_text(*scene.measured)),
      mode};
}

std::optional<Finding> secondary_interfaces(const Scene& scene) {
  std::vector<std::string> names;
  std::optional<std::string> mode;
  for (const auto& interface : scene.host.interfaces) {
    const auto found = secondary_mode(interface);
    if (!found || &interface == scene.primary || &interface == scene.measured) continue;
    names.push_back(fmt::format("{} ({})", interface.name, interface.kind));
    if (!mode) mode = found;
  }
  if (names.empty()) return std::nullopt;
  // A measured interface speaks for itself: that another one exists decides nothing.
  if (scene.measured != nullptr) mode.reset();
  return Finding{
      "secondary interfaces over a device in another namespace: " + base::join(names, ", "), mode};
}

std::optional<Finding> primary_veth(const Scene& scene) {
  if (!is_pod_veth(scene.primary)) return std::nullopt;
  const bool is_tunnel = scene.primary->mtu && leaves_room_for_tunnel(*scene.primary->mtu);
  const bool decides = is_tunnel && (scene.measured == nullptr || scene.measured == scene.primary);
  return Finding{
      fmt::format("{} is a veth whose peer is in another namespace, {}{}", scene.primary->name,
                  mtu_text(*scene.primary), is_tunnel ? ": room for a tunnel header" : ""),
      decides ? std::optional<std::string>("overlay-tunnel") : std::nullopt};
}

std::optional<Finding> primary_hardware(const Scene& scene) {
  if (!is_hardware(scene.primary)) return std::nullopt;
  // Inside a pod such a device may have been moved in; on a plain machine it is the machine's.
  const bool is_pod = scene.host.container == "kubernetes" || scene.host.pod;
  const bool decides = !is_pod && (scene.measured == nullptr || is_hardware(scene.measured));
  return Finding{
      fmt::format("{} is a device of this machine ({}), {}", scene.primary->name,
                  scene.primary->driver.value_or("unknown driver"), mtu_text(*scene.primary)),
      decides ? std::optional<std::string>("host") : std::nullopt};
}

std::optional<Finding> downward_api(const Scene& scene) {
  if (!scene.host.pod) return std::nullopt;
  return Finding{
      fmt::format("pod {} on node {}", *scene.host.pod, scene.host.node.value_or("(not told)")),
      {}};
}

std::optional<Finding> container(const Scene& scene) {
  if (!scene.host.container) return std::nullopt;
  return Finding{"container: " + *scene.host.container, {}};
}

constexpr std::array<Rule, 9> kRules{same_address,       node_devices,         network_status,
                                     measured_interface, secondary_interfaces, primary_veth,
                                     primary_hardware,   downward_api,         container};

const Interface* find_interface(const Host& host, std::string_view name) {
  const auto found = std::ranges::find(host.interfaces, name, &Interface::name);
  return found == host.interfaces.end() ? nullptr : &*found;
}

Scene make_scene(const Host& host, std::string_view interface) {
  Scene scene{.host = host, .nodes = {}};
  scene.measured = find_interface(host, interface.substr(0, interface.find(',')));
  if (host.default_interface) scene.primary = find_interface(host, *host.default_interface);
  for (const auto& candidate : host.interfaces) {
    if (is_on_node(candidate)) scene.nodes.push_back(&candidate);
    if (scene.primary == nullptr && is_usable(candidate)) scene.primary = &candidate;
  }
  return scene;
}

}  // namespace

model::Mode detect_mode(const Host& host, std::string_view interface) {
  model::Mode mode;
  const Scene scene = make_scene(host, interface);
  for (const Rule rule : kRules) {
    const auto finding = rule(scene);
    if (!finding) continue;
    mode.evidence.push_back(finding->text);
    if (!mode.detected) mode.detected = finding->mode;
  }
  if (mode.evidence.empty()) mode.evidence.emplace_back("nothing was found that tells the network");
  return mode;
}

}  // namespace ringwise::system
