#include "system/pod.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "system/json_values.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

using Json = nlohmann::json;
using Text = std::optional<std::string>;

constexpr std::size_t kMostNetworks = 256;
constexpr std::string_view kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";
/// The second one is an old misspelling that Multus still writes.
constexpr std::array<std::string_view, 2> kStatusKeys{"k8s.v1.cni.cncf.io/network-status",
                                                      "k8s.v1.cni.cncf.io/networks-status"};

/// Pods of GKE's multi-networking, and of Google Distributed Cloud, name their networks in it: a
/// list of {"interfaceName", "network"}; the cluster's own is "default" or "pod-network" (source:
/// GoogleCloudPlatform/gke-networking-api apis/network/v1 annotations.go InterfaceAnnotation, GKE
/// and Google Distributed Cloud documentation).
constexpr std::string_view kGkeInterfaces = "networking.gke.io/interfaces";

Text from_environment(const Environment& environment, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = environment.find(name);
    if (found != environment.end() && !found->second.empty()) {
      return base::printable(std::string_view(found->second).substr(0, 256));
    }
  }
  return std::nullopt;
}

Text from_files(const SysRoot& root, std::initializer_list<const char*> paths) {
  for (const char* path : paths) {
    if (auto line = root.read_line(path)) return line;
  }
  return std::nullopt;
}

Text container_kind(const SysRoot& root, const Environment& environment) {
  const auto groups = root.read("/proc/self/cgroup").value_or("");
  const auto in_group = [&](std::string_view word) {
    return groups.find(word) != std::string::npos;
  };
  if (environment.contains("KUBERNETES_SERVICE_HOST") || root.exists(kServiceAccount) ||
      in_group("kubepods")) {
    return "kubernetes";
  }
  if (root.exists("/run/.containerenv") || in_group("libpod")) return "podman";
  if (root.exists("/.dockerenv") || in_group("/docker")) return "docker";
  if (in_group("/lxc")) return "lxc";
  if (in_group("crio")) return "cri-o";
  if (in_group("containerd")) return "containerd";
  return root.read_line("/run/systemd/container");
}

/// The value of one line `key="quoted"` of a downward-API file. The quoting is Go's, which for
/// what JSON text contains equals JSON's own.
Text annotation(std::string_view text, std::string_view key) {
  for (const auto line : lines(text)) {
    if (!line.starts_with(key) || !line.substr(key.size()).starts_with('=')) continue;
    const auto value = Json::parse(line.substr(key.size() + 1), nullptr, false);
    if (value.is_string()) return value.get<std::string>();
  }
  return std::nullopt;
}

/// The value of the first of `keys` that a downward-API file of annotations has.
Text annotation_in_files(const SysRoot& root, std::span<const std::string_view> keys) {
  for (const std::string folder : {"/etc/podinfo", "/etc/podnetinfo"}) {
    const auto annotations = root.read(folder + "/annotations");
    if (!annotations) continue;
    for (const auto key : keys) {
      if (auto text = annotation(*annotations, key)) return text;
    }
  }
  return std::nullopt;
}

/// The JSON text of the network-status annotation, where the pod has it.
Text network_status(const SysRoot& root) {
  for (const std::string folder : {"/etc/podinfo", "/etc/podnetinfo"}) {
    if (auto text = root.read(folder + "/network-status")) return text;
  }
  return annotation_in_files(root, kStatusKeys);
}

Text gke_interfaces(const SysRoot& root) {
  return annotation_in_files(root, std::array{kGkeInterfaces});
}

/// The entry of a list of networks, where it is there and true.
bool is_true(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

/// `text` as a list; what is none gets a line in `host.problems`.
Json parse_networks(const Text& text, std::string_view annotation_name, model::Host& host) {
  if (!text || base::trim(*text).empty()) return Json::array();
  auto document = Json::parse(*text, nullptr, false);
  if (document.is_array()) return document;
  host.problems.push_back(
      fmt::format("networks: the {} annotation is no JSON list", annotation_name));
  return Json::array();
}

/// One entry of Multus' list, with what its device-info says.
model::PodNetwork to_multus_network(const Json& entry) {
  model::PodNetwork network;
  network.name = text_of(entry, "name").value_or("");
  network.interface = text_of(entry, "interface");
  network.is_default = is_true(entry, "default");
  network.mtu = positive_of(entry, "mtu");
  const auto info = entry.find("device-info");
  if (info == entry.end()) return network;
  network.device_type = text_of(*info, "type");
  if (!info->is_object() || !info->contains("pci")) return network;
  network.pci_address = text_of((*info)["pci"], "pci-address");
  network.physical_function = text_of((*info)["pci"], "pf-pci-address");
  return network;
}

void add_multus_networks(const SysRoot& root, model::Host& host) {
  for (const auto& entry : parse_networks(network_status(root), "network-status", host)) {
    if (!entry.is_object() || host.networks.size() >= kMostNetworks) continue;
    host.networks.push_back(to_multus_network(entry));
  }
}

/// The pod asks for these; an entry names a network or a NetworkInterface object.
void add_gke_networks(const SysRoot& root, model::Host& host) {
  for (const auto& entry : parse_networks(gke_interfaces(root), kGkeInterfaces, host)) {
    if (!entry.is_object() || host.networks.size() >= kMostNetworks) continue;
    model::PodNetwork network;
    auto name = text_of(entry, "network");
    if (!name) name = text_of(entry, "interface");
    network.name = name.value_or("");
    network.interface = text_of(entry, "interfaceName");
    network.is_default = network.name == "default" || network.name == "pod-network";
    network.source = "gke";
    host.networks.push_back(std::move(network));
  }
}

}  // namespace

void add_pod_facts(const SysRoot& root, const Environment& environment, model::Host& host) {
  host.container = container_kind(root, environment);
  host.node = from_environment(environment, {"RINGWISE_NODE_NAME"});
  host.pod = from_environment(environment, {"RINGWISE_POD_NAME"});
  host.pod_namespace =
      from_environment(environment, {"RINGWISE_POD_NAMESPACE", "RINGWISE_NAMESPACE"});
  if (!host.node) host.node = from_files(root, {"/etc/podinfo/node"});
  if (!host.pod) host.pod = from_files(root, {"/etc/podinfo/pod", "/etc/podinfo/name"});
  if (!host.pod_namespace) {
    host.pod_namespace = from_files(
        root,
        {"/etc/podinfo/namespace", "/var/run/secrets/kubernetes.io/serviceaccount/namespace"});
  }
  add_multus_networks(root, host);
  add_gke_networks(root, host);
}

}  // namespace ringwise::system
