#include "system/scene.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::system {
namespace {

using model::Host;
using model::Interface;

/// One line of evidence and, where it decides by itself, the surroundings.
struct Sign {
  std::string text;
  std::optional<Surroundings> surroundings = std::nullopt;
};
using Rule = std::optional<Sign> (*)(const Scene&);

/// Names that CNI plugins give to devices on a node, never inside a pod (source: documentation of
/// flannel, Calico, Cilium, AWS VPC CNI, Azure CNI, GKE, OVN-Kubernetes, Kube-OVN, Antrea, Weave,
/// kube-router, kubenet and kube-proxy; bridge plugin default "cni0").
constexpr std::array<std::string_view, 24> kNodePrefixes{
    "cni0",       "flannel",     "cali",        "tunl0",      "vxlan.calico", "wireguard.cali",
    "cilium_",    "lxc",         "eni",         "gke",        "azv",          "azure0",
    "cbr0",       "genev_sys_",  "ovn-k8s-",    "ovn0",       "antrea-",      "weave",
    "vxlan-6784", "kube-bridge", "kube-dummy-", "kube-ipvs0", "nodelocaldns", "ovs-system"};

bool is_on_node(const Interface& interface) {
  // The kernel gives every namespace a tunl0 of its own, which is down, once the module is loaded
  // (source: Linux Documentation/admin-guide/sysctl/net.rst fb_tunnels_only_for_init_net).
  if (interface.name == "tunl0" && !interface.is_up) return false;
  return !is_hardware(interface) &&
         std::ranges::any_of(kNodePrefixes, [&](std::string_view prefix) {
           return interface.name.starts_with(prefix);
         });
}

bool is_usable(const Interface& interface) {
  return interface.is_up && !interface.is_loopback && !interface.addresses.empty();
}

std::optional<std::string> value_of(const Host& host, const char* name) {
  const auto found = host.environment.find(name);
  if (found == host.environment.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

/// "cni0 (bridge), flannel.1 (vxlan), ...": the first four.
std::string listed(const std::vector<const Interface*>& devices) {
  std::vector<std::string> names;
  for (const auto* device : devices) {
    if (names.size() == 4) break;
    names.push_back(device->kind.empty() ? device->name
                                         : fmt::format("{} ({})", device->name, device->kind));
  }
  return base::join(names, ", ") + (devices.size() > names.size() ? ", ..." : "");
}

template <typename Predicate>
std::vector<const Interface*> all_of(const Host& host, Predicate predicate) {
  std::vector<const Interface*> found;
  for (const auto& interface : host.interfaces) {
    if (predicate(interface)) found.push_back(&interface);
  }
  return found;
}

// ---- the rules, in the order of their weight ----

/// A hostNetwork pod has its node's address (source: Kubernetes API, PodStatus.podIP and hostIP).
std::optional<Sign> same_address(const Scene& scene) {
  const auto pod = value_of(scene.host, "RINGWISE_POD_IP");
  const auto node = value_of(scene.host, "RINGWISE_HOST_IP");
  if (!pod || !node) return std::nullopt;
  if (*pod == *node) {
    return Sign{fmt::format("the pod's address is the node's ({}): hostNetwork", *pod),
                Surroundings::kNode};
  }
  return Sign{fmt::format("the pod's address {} is not the node's {}", *pod, *node),
              Surroundings::kPod};
}

std::string networks_text(const Host& host, std::string_view source) {
  std::vector<std::string> names;
  for (const auto& network : host.networks) {
    if (network.source != source) continue;
    names.push_back(fmt::format("{} on {}{}", network.name.empty() ? "(unnamed)" : network.name,
                                network.interface.value_or("no interface"),
                                network.is_default ? " (default)" : ""));
  }
  return base::join(names, ", ");
}

/// Multus writes it for pods that got their network from CNI, which a hostNetwork pod does not.
std::optional<Sign> network_status(const Scene& scene) {
  const auto text = networks_text(scene.host, "multus");
  if (text.empty()) return std::nullopt;
  const bool is_here = std::ranges::any_of(scene.host.interfaces, [&](const auto& interface) {
    return find_network(scene.host, interface, "multus") != nullptr;
  });
  return Sign{"Multus' network-status lists " + text,
              is_here ? std::optional(Surroundings::kPod) : std::nullopt};
}

/// Whoever wrote the pod wrote this, too: it decides nothing, a hostNetwork pod could have it.
std::optional<Sign> gke_annotation(const Scene& scene) {
  const auto text = networks_text(scene.host, "gke");
  if (text.empty()) return std::nullopt;
  return Sign{"networking.gke.io/interfaces lists " + text};
}

std::optional<Sign> node_devices(const Scene& scene) {
  const auto devices = all_of(scene.host, is_on_node);
  if (devices.empty()) return std::nullopt;
  return Sign{fmt::format("{} device{} of a node's CNI plugin: {}", devices.size(),
                          devices.size() == 1 ? "" : "s", listed(devices)),
              Surroundings::kNode};
}

/// Bridge ports that lead into other namespaces: here is where containers are attached.
std::optional<Sign> container_ports(const Scene& scene) {
  if (scene.primary == nullptr || scene.primary->lower_namespace) return std::nullopt;
  const auto ports = all_of(scene.host, [](const Interface& interface) {
    return is_pod_link(interface) && interface.master;
  });
  if (ports.empty()) return std::nullopt;
  return Sign{fmt::format("{} bridge port{} into other namespaces: {}", ports.size(),
                          ports.size() == 1 ? "" : "s", listed(ports)),
              Surroundings::kNode};
}

std::optional<Sign> lower_elsewhere(const Scene& scene) {
  const auto devices = all_of(scene.host, [&](const Interface& interface) {
    const bool is_vlan = interface.kind.ends_with("vlan");
    return interface.lower_namespace && (is_vlan || &interface == scene.primary);
  });
  if (devices.empty()) return std::nullopt;
  return Sign{"over a device in another namespace: " + listed(devices), Surroundings::kPod};
}

std::optional<Sign> machine(const Scene& scene) {
  if (scene.primary == nullptr || scene.primary->lower_namespace) return std::nullopt;
  const auto devices = all_of(scene.host, is_hardware);
  if (devices.empty()) return std::nullopt;
  const auto& shown = is_hardware(*scene.primary) ? *scene.primary : *devices.front();
  // Inside a pod such a device may have been moved in; on a plain machine it is the machine's.
  return Sign{fmt::format("{} is a device of this machine ({}), {}", shown.name,
                          shown.driver.value_or("unknown driver"), mtu_text(shown)),
              is_kubernetes(scene.host) ? std::nullopt : std::optional(Surroundings::kNode)};
}

constexpr std::array<Rule, 7> kRules{same_address,    network_status,  gke_annotation, node_devices,
                                     container_ports, lower_elsewhere, machine};

/// The interface of the network that an annotation calls the default one.
const Interface* told_default(const Host& host) {
  for (const auto& network : host.networks) {
    if (!network.is_default || !network.interface) continue;
    if (const auto* found = find_interface(host, *network.interface)) return found;
  }
  return nullptr;
}

const Interface* find_primary(const Host& host) {
  if (const auto* told = told_default(host)) return told;
  // Container runtimes call the pod's own network eth0 (source: containerd go-cni and CRI-O ocicni,
  // default interface name); an attachment can take the default route from it.
  const auto* eth0 = find_interface(host, "eth0");
  if (eth0 != nullptr && eth0->lower_namespace && is_kubernetes(host)) return eth0;
  if (host.default_interface) {
    if (const auto* found = find_interface(host, *host.default_interface)) return found;
  }
  const auto usable = std::ranges::find_if(host.interfaces, is_usable);
  return usable == host.interfaces.end() ? nullptr : &*usable;
}

}  // namespace

Scene make_scene(const Host& host) {
  Scene scene{.host = host, .primary = find_primary(host), .evidence = {}};
  std::optional<Surroundings> decided;
  for (const Rule rule : kRules) {
    auto sign = rule(scene);
    if (!sign) continue;
    scene.evidence.push_back(std::move(sign->text));
    if (!decided) decided = sign->surroundings;
  }
  scene.surroundings = decided.value_or(Surroundings::kOpen);
  return scene;
}

const Interface* find_interface(const Host& host, std::string_view name) {
  const auto found = std::ranges::find(host.interfaces, name, &Interface::name);
  return found == host.interfaces.end() ? nullptr : &*found;
}

const model::PodNetwork* find_network(const Host& host, const Interface& interface,
                                      std::string_view source) {
  const auto found = std::ranges::find_if(host.networks, [&](const auto& network) {
    return network.source == source && network.interface == interface.name;
  });
  return found == host.networks.end() ? nullptr : &*found;
}

bool is_hardware(const Interface& interface) {
  // IPoIB devices have a kind; a child has a lower one (source: Linux ipoib_netlink.c, ipoib_main.c
  // ipoib_get_iflink).
  const bool is_software =
      !interface.kind.empty() && (interface.kind != "ipoib" || interface.lower_index.has_value());
  return !is_software && !interface.is_loopback && (interface.driver || interface.pci_address);
}

bool is_pod_link(const Interface& interface) {
  return (interface.kind == "veth" || interface.kind == "netkit") && interface.lower_namespace;
}

bool is_kubernetes(const Host& host) {
  return host.container == "kubernetes" || host.pod || !host.networks.empty() ||
         value_of(host, "RINGWISE_POD_IP");
}

std::string mtu_text(const Interface& interface) {
  if (!interface.mtu) return "unknown MTU";
  if (!interface.route_mtu) return fmt::format("MTU {}", *interface.mtu);
  return fmt::format("MTU {}, {} on a route", *interface.mtu, *interface.route_mtu);
}

}  // namespace ringwise::system
