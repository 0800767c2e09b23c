#include "system/interface_mode.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "model/mode_label.h"

namespace ringwise::system {
namespace {

using model::Host;
using model::Interface;
using Rule = std::optional<InterfaceMode> (*)(const Scene&, const Interface&);

InterfaceMode unknown(std::string why) {
  return {std::string(model::kUnknownMode), std::move(why)};
}

/// "net1 is a macvlan over a device in another namespace, MTU 1500"
std::string described(const Interface& interface) {
  const char* over = !interface.lower_namespace ? ""
                     : is_pod_link(interface)   ? " whose peer is in another namespace"
                                                : " over a device in another namespace";
  std::string kind = "a " + (interface.kind.empty() ? "device of unknown kind" : interface.kind);
  if (is_hardware(interface)) {
    kind = fmt::format("a device ({})", interface.driver.value_or("unknown driver"));
  }
  return fmt::format("{} is {}{}, {}", interface.name, kind, over, mtu_text(interface));
}

// ---- tunnel or native: what the MTU of a pod's own network says ----

/// Bytes that encapsulations take: IPIP 20; flannel udp 28; VXLAN and Cilium's Geneve 50, over
/// IPv6 70; Geneve of Kube-OVN 58, of OVN-Kubernetes 100; WireGuard 60, 80 and, in a tunnel, 130
/// (source: Calico's MTU table, Cilium pkg/mtu, flannel's backends, OVN documentation).
constexpr std::array<std::int64_t, 9> kHeaders{20, 28, 50, 58, 60, 70, 80, 100, 130};

/// MTUs of nodes: Ethernet, jumbo frames, AWS, Google Cloud and its jumbo frames (source: AWS EC2
/// and Google Cloud VPC documentation).
constexpr std::array<std::int64_t, 5> kNodeMtus{1500, 9000, 9001, 1460, 8896};

/// What no subtraction gives: Calico's WireGuard on AKS, Weave's fast datapath (source: Calico's
/// MTU table, Weave Net documentation).
constexpr std::array<std::int64_t, 2> kOtherTunnels{1340, 1376};

/// Geneve on Ethernet, or a path of AKS without a tunnel (source: Azure documentation of MTUs).
constexpr std::int64_t kAmbiguousMtu = 1400;

bool is_header(std::int64_t bytes) {
  return std::ranges::find(kHeaders, bytes) != kHeaders.end();
}

bool leaves_room_for_tunnel(std::int64_t mtu) {
  if (std::ranges::find(kOtherTunnels, mtu) != kOtherTunnels.end()) return true;
  return std::ranges::any_of(kNodeMtus, [mtu](std::int64_t node) { return is_header(node - mtu); });
}

InterfaceMode by_mtu(const Scene& scene, const Interface& interface) {
  const auto what = described(interface);
  if (!interface.mtu) return unknown(what);
  if (interface.route_mtu) {
    const auto less = *interface.mtu - *interface.route_mtu;
    if (is_header(less)) {
      return {"overlay-tunnel", fmt::format("{}: {} bytes for a tunnel header", what, less)};
    }
    return unknown(fmt::format("{}: {} bytes less, no tunnel's header", what, less));
  }
  if (*interface.mtu == kAmbiguousMtu) {
    return unknown(what + ": room for Geneve, or a path of Azure without a tunnel");
  }
  if (leaves_room_for_tunnel(*interface.mtu)) {
    return {"overlay-tunnel", what + ": room for a tunnel header"};
  }
  if (std::ranges::find(kNodeMtus, *interface.mtu) == kNodeMtus.end()) {
    return unknown(what + ": neither a node's usual MTU nor one less a tunnel's header");
  }
  if (!scene.host.are_routes_known) {
    return unknown(what + ": the routes are not known, and a tunnel's MTU can be on them");
  }
  if (!is_kubernetes(scene.host)) {
    return unknown(what + ": full MTU, and nothing says that a CNI plugin routes it");
  }
  return {"overlay-native", what + ": full MTU on device and routes, no room for a tunnel header"};
}

// ---- virtual functions ----

/// The PCIDEVICE_* variable that lists the address (source: sriov-network-device-plugin: values
/// are PCI addresses separated by commas; PCIDEVICE_*_INFO are JSON).
std::optional<std::string> allocation_of(const Host& host, const std::string& address) {
  for (const auto& [name, value] : host.environment) {
    if (!name.starts_with("PCIDEVICE_") || name.ends_with("_INFO")) continue;
    const auto addresses = base::split(value, ',');
    if (std::ranges::find(addresses, address) != addresses.end()) return name;
  }
  return std::nullopt;
}

/// Drivers of virtual functions only (source: Linux drivers/net/ethernet/intel).
bool is_vf_driver(const Interface& interface) {
  return interface.driver == "iavf" || interface.driver == "ixgbevf" || interface.driver == "igbvf";
}

/// What makes it a virtual function, in words.
std::optional<std::string> why_vf(const Scene& scene, const Interface& interface) {
  if (interface.physical_function) return "virtual function of " + *interface.physical_function;
  const auto* network = find_network(scene.host, interface, "multus");
  if (network != nullptr && network->physical_function) {
    return "virtual function of " + *network->physical_function + " by network-status";
  }
  if (is_vf_driver(interface)) return "driver of virtual functions";
  return std::nullopt;
}

// ---- the rules, in the order of their weight ----

std::optional<InterfaceMode> of_node(const Scene& scene, const Interface& interface) {
  if (scene.surroundings != Surroundings::kNode) return std::nullopt;
  return InterfaceMode{"host", described(interface) + ", in the node's own namespace"};
}

std::optional<InterfaceMode> of_nowhere(const Scene& scene, const Interface& interface) {
  if (scene.surroundings != Surroundings::kOpen) return std::nullopt;
  return unknown(described(interface) + ": nothing says whether this is a node or a pod");
}

/// Google Distributed Cloud attaches by Multus what its annotation asks for; then Multus counts.
std::optional<InterfaceMode> of_gke_network(const Scene& scene, const Interface& interface) {
  const auto* network = find_network(scene.host, interface, "gke");
  if (network == nullptr || network->is_default || &interface == scene.primary) return std::nullopt;
  if (find_network(scene.host, interface, "multus") != nullptr) return std::nullopt;
  return InterfaceMode{"gke-multinet",
                       fmt::format("{}, on GKE's network {}", described(interface), network->name)};
}

std::optional<InterfaceMode> of_vlan_kinds(const Scene& scene, const Interface& interface) {
  const bool is_ipvlan = interface.kind == "ipvlan";
  if (!is_ipvlan && interface.kind != "macvlan") return std::nullopt;
  const auto what = described(interface);
  const bool is_attached = interface.lower_namespace.has_value() ||
                           find_network(scene.host, interface, "multus") != nullptr;
  if (!is_attached) return unknown(what + ": its lower device is in this namespace");
  if (&interface != scene.primary) return InterfaceMode{"multus-" + interface.kind, what};
  if (is_ipvlan) return InterfaceMode{"ipvlan-default", what + ": the pod's own network"};
  return unknown(what + ": the pod's own network, for which there is no class");
}

/// The kernel does not say in which namespace the parent of an IPoIB child is (source: Linux
/// ipoib_netlink.c has no get_link_net).
std::optional<InterfaceMode> of_ipoib_child(const Scene& scene, const Interface& interface) {
  if (interface.kind != "ipoib" || !interface.lower_index) return std::nullopt;
  if (&interface == scene.primary) {
    return unknown(described(interface) + ": the pod's own network, for which there is no class");
  }
  return InterfaceMode{"multus-ipoib", described(interface) + ", child of an IPoIB device"};
}

/// The pod's own network on a device: a virtual machine for the pod (Kata) or a switch in hardware,
/// and what is behind it cannot be seen. Others were moved in.
std::optional<InterfaceMode> of_hardware(const Scene& scene, const Interface& interface) {
  const auto* network = find_network(scene.host, interface, "multus");
  const bool is_told = network != nullptr && network->pci_address;
  if (!is_hardware(interface) && !(interface.kind.empty() && is_told)) return std::nullopt;
  auto what = described(interface);
  if (&interface == scene.primary) {
    return unknown(what + ": the pod's own network, and what is behind it cannot be seen");
  }
  const auto& address = interface.pci_address ? interface.pci_address
                        : is_told             ? network->pci_address
                                              : std::nullopt;
  const auto allocation = address ? allocation_of(scene.host, *address) : std::nullopt;
  if (allocation) what += fmt::format(", {} lists {}", *allocation, *address);
  if (const auto why = why_vf(scene, interface)) {
    return InterfaceMode{"multus-sriov-vf", fmt::format("{}, {}", what, *why)};
  }
  // The device plugin also hands out whole devices, which sysfs would show.
  if (allocation && !interface.pci_address) return InterfaceMode{"multus-sriov-vf", what};
  if (scene.primary != nullptr && is_hardware(*scene.primary)) {
    return unknown(what + ": in a virtual machine, as a Kata pod is, every network is a device");
  }
  return InterfaceMode{"multus-hostdev", what + ", no virtual function: moved into this pod"};
}

std::optional<InterfaceMode> of_pod_link(const Scene& scene, const Interface& interface) {
  if (!is_pod_link(interface)) return std::nullopt;
  if (&interface == scene.primary) return by_mtu(scene, interface);
  return unknown(described(interface) + ": a second one, for which there is no class");
}

constexpr std::array<Rule, 7> kRules{of_node,        of_nowhere,  of_gke_network, of_vlan_kinds,
                                     of_ipoib_child, of_hardware, of_pod_link};

}  // namespace

InterfaceMode interface_mode(const Scene& scene, const Interface& interface) {
  for (const Rule rule : kRules) {
    if (auto found = rule(scene, interface)) return std::move(*found);
  }
  return unknown(described(interface) + ", for which there is no class");
}

void classify_interfaces(Host& host, std::string_view subject) {
  const Scene scene = make_scene(host);
  std::vector<std::optional<std::string>> modes;
  for (const auto& interface : host.interfaces) {
    const bool is_asked = !interface.addresses.empty() || interface.name == subject;
    modes.push_back(is_asked && !interface.is_loopback
                        ? std::optional(interface_mode(scene, interface).mode)
                        : std::nullopt);
  }
  for (std::size_t i = 0; i < modes.size(); ++i) host.interfaces[i].mode = std::move(modes[i]);
}

}  // namespace ringwise::system
