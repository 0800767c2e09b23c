#include "system/pod.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/units.h"
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

/// The JSON text of the network-status annotation, where the pod has it.
Text network_status(const SysRoot& root) {
  for (const std::string folder : {"/etc/podinfo", "/etc/podnetinfo"}) {
    if (auto text = root.read(folder + "/network-status")) return text;
    const auto annotations = root.read(folder + "/annotations");
    if (!annotations) continue;
    for (const auto key : kStatusKeys) {
      if (auto text = annotation(*annotations, key)) return text;
    }
  }
  return std::nullopt;
}

Text text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  const auto& text = found->get_ref<const std::string&>();
  return base::printable(std::string_view(text).substr(0, 256));
}

void add_networks(const SysRoot& root, model::Host& host) {
  const auto text = network_status(root);
  if (!text || base::trim(*text).empty()) return;
  const auto document = Json::parse(*text, nullptr, false);
  if (!document.is_array()) {
    host.problems.emplace_back("networks: the network-status annotation is no JSON list");
    return;
  }
  for (const auto& entry : document) {
    if (!entry.is_object() || host.networks.size() >= kMostNetworks) continue;
    const auto is_default = entry.find("default");
    host.networks.push_back({.name = text_of(entry, "name").value_or(""),
                             .interface = text_of(entry, "interface"),
                             .is_default = is_default != entry.end() && is_default->is_boolean() &&
                                           is_default->get<bool>()});
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
  add_networks(root, host);
}

}  // namespace ringwise::system
