#include "probe/targets.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "plan/interface_option.h"
#include "plan/nccl_interfaces.h"
#include "plan/nccl_sockets.h"
#include "plan/ring_variables.h"
#include "system/interfaces.h"
#include "system/sysroot.h"

namespace ringwise::probe {
namespace {

constexpr const char* kIfname = "NCCL_SOCKET_IFNAME";

/// By option, by the environment as NCCL reads it, or by a name of --each-interface.
plan::SelectionResult select(const std::vector<model::Interface>& interfaces,
                             const std::optional<std::string>& option) {
  const auto environment = socket_environment();
  if (!option) {
    return plan::select_interfaces(interfaces, plan::selection_env(environment, std::nullopt));
  }
  auto family = plan::variable(environment, "NCCL_SOCKET_FAMILY");
  const bool is_known = !family || *family == "AF_INET" || *family == "AF_INET6";
  if (is_known) return plan::select_by_option(interfaces, *option, family);
  // As NCCL: what it does not know it does not heed.
  auto result = plan::select_by_option(interfaces, *option);
  if (!family->empty()) {
    result.notes.push_back(
        fmt::format("NCCL_SOCKET_FAMILY={} is ignored: only AF_INET and AF_INET6 count",
                    base::printable(*family)));
  }
  return result;
}

/// What NCCL makes of the environment's numbers, where a person would expect something else.
std::vector<std::string> socket_notes(const std::vector<model::Interface>& interfaces,
                                      const std::vector<std::string>& chosen) {
  const auto environment = socket_environment();
  auto notes = plan::channel_plan(chosen.size(), environment).notes;
  for (const char* name : {"NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS"}) {
    const auto number = plan::nccl_integer(environment, name, 1);
    if (!number.is_set || number.value > 0) continue;
    notes.push_back(fmt::format("{}={} is taken as 1 channel at least", name,
                                base::printable(environment.at(name))));
  }
  for (const auto& interface : interfaces) {
    if (std::find(chosen.begin(), chosen.end(), interface.name) == chosen.end()) continue;
    const auto more = plan::socket_plan(interface.pci_vendor, environment).notes;
    notes.insert(notes.end(), more.begin(), more.end());
  }
  return notes;
}

Endpoint endpoint_of(const std::vector<model::Interface>& interfaces,
                     const plan::ChosenInterface& chosen) {
  Endpoint endpoint;
  endpoint.interface = chosen.name;
  endpoint.address = chosen.address;
  endpoint.family = chosen.family;
  endpoint.index = chosen.index;
  const auto found = std::find_if(interfaces.begin(), interfaces.end(), [&](const auto& interface) {
    return interface.name == chosen.name;
  });
  if (found != interfaces.end()) {
    endpoint.pci_vendor = found->pci_vendor;
    endpoint.speed_mbit_per_s = found->speed_mbit_per_s;
    // Larger than a 32 bit number it is no MTU.
    if (found->mtu && *found->mtu <= std::numeric_limits<int>::max()) {
      endpoint.mtu = static_cast<int>(*found->mtu);
    }
    endpoint.is_loopback = found->is_loopback;
  }
  return endpoint;
}

Target target_of(const std::vector<model::Interface>& interfaces,
                 const plan::SelectionResult& result) {
  if (!result.error.empty()) throw Error(ErrorKind::kUsage, result.error);
  Target target;
  target.rule = result.rule;
  for (const auto& chosen : result.chosen) {
    target.endpoints.push_back(endpoint_of(interfaces, chosen));
  }
  return target;
}

/// The options that are resolved one by one: --interface alone, or each of --each-interface.
std::vector<std::optional<std::string>> options_of(const std::optional<std::string>& interface,
                                                   const std::vector<std::string>& each_interface) {
  std::vector<std::optional<std::string>> options;
  options.reserve(each_interface.size());
  for (const auto& name : each_interface) options.emplace_back("=" + name);
  if (options.empty()) options.push_back(interface);
  return options;
}

}  // namespace

std::string Target::label() const {
  std::vector<std::string> names;
  names.reserve(endpoints.size());
  for (const auto& endpoint : endpoints) names.push_back(endpoint.interface);
  return base::join(names, ",");
}

std::map<std::string, std::string> socket_environment() {
  std::map<std::string, std::string> environment;
  const auto add = [&](const std::string& name) {
    if (const char* value = std::getenv(name.c_str())) environment[name] = value;
  };
  for (const auto name : plan::ring_variables()) add(std::string(name));
  // The ring does not split messages as NCCL does, but says what NCCL would misread.
  add("NCCL_SOCKET_INLINE");
  add("NCCL_SOCKET_MIN_TASKSIZE");
  return environment;
}

Selection select_for_introduction(const std::vector<model::Interface>& interfaces,
                                  const std::optional<std::string>& interface,
                                  const std::vector<std::string>& each_interface) {
  Selection selection;
  for (const auto& option : options_of(interface, each_interface)) {
    const auto result = select(interfaces, option);
    if (!result.error.empty()) {
      selection.error =
          option ? fmt::format("interface '{}': {}", base::printable(*option), result.error)
                 : result.error;
      return selection;
    }
    for (const auto& chosen : result.chosen) {
      selection.interfaces.push_back(chosen.name);
      selection.families.push_back(chosen.family);
    }
    selection.rule = result.rule;
    selection.notes.insert(selection.notes.end(), result.notes.begin(), result.notes.end());
  }
  for (auto& note : socket_notes(interfaces, selection.interfaces)) {
    auto& notes = selection.notes;
    if (std::find(notes.begin(), notes.end(), note) == notes.end())
      notes.push_back(std::move(note));
  }
  const auto bootstrap =
      plan::select_bootstrap(interfaces, plan::selection_env(socket_environment(), std::nullopt));
  if (!bootstrap.chosen.empty()) selection.bootstrap = bootstrap.chosen.front().name;
  return selection;
}

std::vector<Target> resolve_targets(const StageSpec& spec) {
  std::vector<std::string> problems;
  const auto interfaces = system::read_interfaces(system::SysRoot{}, problems);
  // A set of settings that names interfaces is tried with those.
  const bool is_set_by_trial = spec.settings.contains(kIfname);
  std::vector<Target> targets;
  for (const auto& option : is_set_by_trial ? std::vector<std::optional<std::string>>{std::nullopt}
                                            : options_of(spec.interface, spec.each_interface)) {
    targets.push_back(target_of(interfaces, select(interfaces, option)));
  }
  return targets;
}

}  // namespace ringwise::probe
