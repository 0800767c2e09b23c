#include "system/mode.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "model/mode_label.h"
#include "system/interface_mode.h"
#include "system/scene.h"

namespace ringwise::system {
namespace {

using model::Host;
using model::Interface;

bool is_known(const InterfaceMode& found) {
  return found.mode != model::kUnknownMode;
}

/// Adds a line for every interface that counts; the mode of the first that decides.
std::optional<std::string> add_interfaces(const Scene& scene, const Interface* measured,
                                          std::vector<std::string>& evidence) {
  if (measured != nullptr) {
    const auto found = interface_mode(scene, *measured);
    evidence.push_back("measured: " + found.why);
    return found.mode;
  }
  std::optional<std::string> mode;
  for (const auto& interface : scene.host.interfaces) {
    if (&interface == scene.primary || interface.is_loopback || interface.addresses.empty()) {
      continue;
    }
    const auto found = interface_mode(scene, interface);
    if (!is_known(found)) continue;
    evidence.push_back("secondary: " + found.why);
    if (!mode) mode = found.mode;
  }
  if (scene.primary == nullptr) return mode;
  const auto found = interface_mode(scene, *scene.primary);
  evidence.push_back(found.why);
  return mode ? mode : found.mode;
}

void add_place(const Host& host, std::vector<std::string>& evidence) {
  if (host.pod) {
    evidence.push_back(
        fmt::format("pod {} on node {}", *host.pod, host.node.value_or("(not told)")));
  }
  if (host.container) evidence.push_back("container: " + *host.container);
}

/// What would have helped.
std::string missing(const Host& host) {
  std::vector<std::string> facts;
  const bool has_addresses =
      host.environment.contains("RINGWISE_POD_IP") && host.environment.contains("RINGWISE_HOST_IP");
  if (!has_addresses) facts.emplace_back("RINGWISE_POD_IP and RINGWISE_HOST_IP");
  if (host.networks.empty()) facts.emplace_back("network-status annotation");
  if (!host.are_routes_known) facts.emplace_back("MTUs of routes");
  return facts.empty() ? "" : "not told: " + base::join(facts, "; ");
}

}  // namespace

model::Mode detect_mode(const Host& host, std::string_view interface) {
  const Scene scene = make_scene(host);
  const auto* measured = find_interface(host, interface.substr(0, interface.find(',')));
  model::Mode mode;
  mode.evidence = scene.evidence;
  if (scene.surroundings == Surroundings::kNode) {
    mode.detected = "host";
    if (measured != nullptr) {
      mode.evidence.push_back("measured: " + interface_mode(scene, *measured).why);
    }
  } else {
    mode.detected =
        add_interfaces(scene, measured, mode.evidence).value_or(std::string(model::kUnknownMode));
  }
  add_place(host, mode.evidence);
  if (mode.detected != model::kUnknownMode) return mode;
  if (mode.evidence.empty()) mode.evidence.emplace_back("nothing was found that tells the network");
  if (auto text = missing(host); !text.empty()) mode.evidence.push_back(std::move(text));
  return mode;
}

}  // namespace ringwise::system
