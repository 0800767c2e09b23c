#include "plan/interface_option.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/cidr.h"

namespace ringwise::plan {
namespace {

std::string family_error(const std::optional<std::string>& family) {
  if (!family || *family == "AF_INET" || *family == "AF_INET6") return {};
  return fmt::format("address family '{}': expected AF_INET or AF_INET6", base::printable(*family));
}

bool has_family(const model::Address& address, const std::optional<std::string>& family) {
  return !family || address.family == (*family == "AF_INET6" ? "inet6" : "inet");
}

/// "WHAT an IPv4 address; there is: ..."
std::string no_match(std::string_view what, const std::optional<std::string>& family,
                     const std::vector<model::Interface>& interfaces) {
  const char* kind = !family ? "" : *family == "AF_INET" ? "IPv4 " : "IPv6 ";
  return fmt::format("{} an {}address; there is: {}", what, kind, describe(interfaces));
}

/// Empty networks and an error in `result` when one is malformed.
std::vector<Cidr> parse_networks(const std::string& option, SelectionResult& result) {
  std::vector<Cidr> networks;
  for (const auto& part : base::split(option, ',')) {
    auto network = part.find('/') == std::string::npos ? std::nullopt : parse_cidr(part);
    if (!network) {
      result.error = fmt::format(
          "--interface: '{}' is no network (10.0.0.0/8, fd00::/64); names and networks cannot be "
          "mixed in one list",
          base::printable(part));
      return {};
    }
    networks.push_back(std::move(*network));
  }
  return networks;
}

/// First address of each interface that lies in a network, IPv4 before IPv6 as NCCL orders them.
std::vector<ChosenInterface> find_in_networks(const std::vector<model::Interface>& interfaces,
                                              const std::vector<Cidr>& networks,
                                              const std::optional<std::string>& family) {
  std::vector<ChosenInterface> found;
  const auto is_new = [&](const model::Interface& interface) {
    return std::none_of(found.begin(), found.end(),
                        [&](const auto& one) { return one.name == interface.name; });
  };
  for (const char* turn : {"inet", "inet6"}) {
    for (const auto& interface : interfaces) {
      for (const auto& address : interface.addresses) {
        if (address.family != turn || !interface.is_running || !has_family(address, family)) {
          continue;
        }
        const bool is_inside =
            std::any_of(networks.begin(), networks.end(),
                        [&](const Cidr& network) { return contains(network, address.address); });
        if (!is_inside || !is_new(interface) || found.size() >= kMaxInterfaces) continue;
        found.push_back({interface.name, interface.index, address.family, address.address,
                         address.prefix_length, address.scope, address.label});
      }
    }
  }
  return found;
}

SelectionResult select_by_networks(const std::vector<model::Interface>& interfaces,
                                   const std::string& option,
                                   const std::optional<std::string>& family) {
  SelectionResult result;
  const auto networks = parse_networks(option, result);
  if (!result.error.empty()) return result;
  result.chosen = find_in_networks(interfaces, networks, family);
  result.rule = "--interface " + base::printable(option);
  if (result.chosen.empty()) {
    result.error =
        no_match(result.rule + ": no interface with a link has in it", family, interfaces);
  }
  return result;
}

}  // namespace

SelectionResult select_by_option(const std::vector<model::Interface>& interfaces,
                                 const std::string& option,
                                 const std::optional<std::string>& family) {
  SelectionResult result;
  result.error = family_error(family);
  if (!result.error.empty()) return result;
  if (option.find('/') != std::string::npos) return select_by_networks(interfaces, option, family);
  const auto spec = parse_ifname(option);
  if (spec.tokens.empty()) {
    result.error = fmt::format("--interface '{}' names no interface; there is: {}",
                               base::printable(option), describe(interfaces));
    return result;
  }
  const auto model_family =
      family ? std::optional<std::string>(*family == "AF_INET6" ? "inet6" : "inet") : std::nullopt;
  result.chosen = find_matches(interfaces, spec, model_family, kMaxInterfaces);
  result.rule = "--interface " + base::printable(option);
  result.notes = notes_on(spec, "--interface");
  if (result.chosen.empty()) {
    result.error =
        no_match(result.rule + " matches no interface with a link and", family, interfaces);
  }
  return result;
}

std::string error_unless_one(const SelectionResult& result) {
  if (result.chosen.size() == 1) return {};
  if (result.chosen.empty()) return result.error;
  std::vector<std::string> names;
  names.reserve(result.chosen.size());
  for (const auto& one : result.chosen) names.push_back(one.name + " " + one.address);
  return fmt::format(
      "{} matches {} interfaces where one was expected: {}; '=NAME' selects exactly "
      "one",
      result.rule, names.size(), base::join(names, ", "));
}

}  // namespace ringwise::plan
