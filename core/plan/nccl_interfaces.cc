#include "plan/nccl_interfaces.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/cidr.h"

namespace ringwise::plan {
namespace {

using Filter = std::function<bool(const model::Interface&, const model::Address&)>;

/// The name that getifaddrs gives an address: its label where it has one.
const std::string& name_of(const model::Interface& interface, const model::Address& address) {
  return address.label ? *address.label : interface.name;
}

/// Every (interface, address) in getifaddrs's order that passes.
std::vector<ChosenInterface> walk(const std::vector<model::Interface>& interfaces,
                                  const Filter& passes) {
  std::vector<ChosenInterface> found;
  for (const char* family : {"inet", "inet6"}) {
    for (const auto& interface : interfaces) {
      for (const auto& address : interface.addresses) {
        if (address.family != family || !passes(interface, address)) continue;
        found.push_back({interface.name, interface.index, address.family, address.address,
                         address.prefix_length, address.scope, address.label});
      }
    }
  }
  return found;
}

/// NCCL_SOCKET_FAMILY as a model family; absent = both. Only the exact words count.
std::optional<std::string> wanted_family(const SelectionEnv& env, SelectionResult& result) {
  if (!env.socket_family || env.socket_family->empty()) return std::nullopt;
  if (*env.socket_family == "AF_INET") return "inet";
  if (*env.socket_family == "AF_INET6") return "inet6";
  result.notes.push_back(
      fmt::format("NCCL_SOCKET_FAMILY={} is ignored: only AF_INET and AF_INET6 count",
                  base::printable(*env.socket_family)));
  return std::nullopt;
}

struct CommAddress {
  std::optional<Cidr> address;
  std::string zone;   ///< name after '%'
  std::string error;  ///< why there is no address
};

/// NCCL_COMM_ID: <ipv4 or host>:<port>, or [<ipv6>[%<interface>]]:<port>; the port is not looked
/// at.
CommAddress parse_comm_id(const std::string& text) {
  if (text.size() <= 1) return {std::nullopt, "", "is too short to be an address"};
  std::string host;
  std::string zone;
  if (text.front() == '[') {
    const auto close = text.find(']');
    if (close == std::string::npos) return {std::nullopt, "", "has '[' without ']'"};
    host = text.substr(1, close - 1);
    if (const auto percent = host.find('%'); percent != std::string::npos) {
      zone = host.substr(percent + 1);
      host.resize(percent);
    }
  } else {
    const auto spec = parse_ifname(text);
    if (!spec.tokens.empty()) host = spec.tokens.front();
  }
  auto address = host.find('/') == std::string::npos ? parse_cidr(host) : std::nullopt;
  if (!address) return {std::nullopt, "", "names a host or is no address: give it as an address"};
  if (text.front() == '[' && address->family != "inet6") {
    return {std::nullopt, "", "has no IPv6 address in its brackets"};
  }
  return {std::move(address), std::move(zone), ""};
}

/// ncclFindInterfaceMatchSubnet: the only search that takes interfaces without link, IPv6
/// loopback, and later addresses of an interface.
std::vector<ChosenInterface> find_in_subnet(const std::vector<model::Interface>& interfaces,
                                            const Cidr& remote, const std::string& remote_zone,
                                            std::size_t max) {
  auto found = walk(interfaces, [&](const auto& interface, const auto& address) {
    if (address.family != remote.family) return false;
    const std::string zone =
        address.scope == "link" && address.family == "inet6" ? interface.name : std::string();
    if (zone != remote_zone) return false;
    Cidr subnet = remote;
    subnet.prefix_length = address.prefix_length;
    return contains(subnet, address.address);
  });
  if (found.size() > max) found.resize(max);
  return found;
}

struct Step {
  const char* list;
  const char* rule;
};

/// The steps of the automatic choice after ib* and NCCL_COMM_ID.
std::vector<Step> automatic_steps(const SelectionEnv& env) {
  const auto version = env.nccl_version ? knowledge::parse_nccl_version(*env.nccl_version)
                                        : std::optional(knowledge::kNewestKnown);
  std::vector<Step> steps;
  const bool excludes_virbr =
      version.value_or(knowledge::kNewestKnown) >= knowledge::kVirbrExcludedSince;
  if (excludes_virbr) {
    steps.push_back(
        {"^docker,lo,virbr", "NCCL's automatic choice: everything but docker*, lo* and virbr*"});
  } else {
    steps.push_back({"^docker,lo", "NCCL's automatic choice: everything but docker* and lo*"});
  }
  steps.push_back({"docker", "NCCL's automatic choice: docker*, for want of anything else"});
  steps.push_back({"lo", "NCCL's automatic choice: lo*, for want of anything else"});
  if (excludes_virbr) {
    steps.push_back({"virbr", "NCCL's automatic choice: virbr*, for want of anything else"});
  }
  return steps;
}

bool take(SelectionResult& result, std::vector<ChosenInterface> found, std::string rule) {
  if (found.empty()) return false;
  result.chosen = std::move(found);
  result.rule = std::move(rule);
  return true;
}

std::string nothing(const std::vector<model::Interface>& interfaces, std::string_view why) {
  return fmt::format("{}; there is: {}", why, describe(interfaces));
}

void select_by_ifname(const std::vector<model::Interface>& interfaces, const SelectionEnv& env,
                      std::size_t max, SelectionResult& result) {
  const std::string list = env.socket_ifname.value_or("");
  const std::string setting = "NCCL_SOCKET_IFNAME=" + base::printable(list);
  const auto spec = parse_ifname(list);
  result.notes = notes_on(spec, "NCCL_SOCKET_IFNAME");
  const auto family = wanted_family(env, result);
  if (take(result, find_matches(interfaces, spec, family, max), setting)) return;
  result.error = nothing(
      interfaces, fmt::format("{} matches no interface with a link and an {}address", setting,
                              !family             ? ""
                              : *family == "inet" ? "IPv4 "
                                                  : "IPv6 "));
}

void select_automatically(const std::vector<model::Interface>& interfaces, const SelectionEnv& env,
                          std::size_t max, SelectionResult& result) {
  const auto family = wanted_family(env, result);
  if (take(result, find_matches(interfaces, parse_ifname("ib"), family, max),
           "NCCL's automatic choice: names that start with ib come first")) {
    return;
  }
  if (env.comm_id && env.comm_id->size() > 1) {
    const auto remote = parse_comm_id(*env.comm_id);
    if (!remote.address) {
      result.notes.push_back(
          fmt::format("NCCL_COMM_ID={} {}", base::printable(*env.comm_id), remote.error));
    } else if (take(result, find_in_subnet(interfaces, *remote.address, remote.zone, max),
                    "same subnet as NCCL_COMM_ID=" + base::printable(*env.comm_id))) {
      return;
    }
  }
  for (const auto& step : automatic_steps(env)) {
    if (take(result, find_matches(interfaces, parse_ifname(step.list), family, max), step.rule))
      return;
  }
  result.error = nothing(interfaces, "no interface has a link and an address that NCCL would use");
}

}  // namespace

IfnameSpec parse_ifname(std::string_view text) {
  IfnameSpec spec;
  spec.is_exclusion = text.starts_with('^');
  if (spec.is_exclusion) text.remove_prefix(1);
  spec.is_exact = text.starts_with('=');
  if (spec.is_exact) text.remove_prefix(1);
  for (const auto& part : base::split(text, ',')) {
    auto token = part.substr(0, part.find(':'));
    if (token.empty()) continue;
    auto& list = spec.tokens.size() < kMaxInterfaces ? spec.tokens : spec.dropped;
    list.push_back(std::move(token));
  }
  return spec;
}

bool matches(const IfnameSpec& spec, std::string_view interface_name) {
  const bool is_listed =
      spec.tokens.empty() ||
      std::any_of(spec.tokens.begin(), spec.tokens.end(), [&](const std::string& token) {
        return spec.is_exact ? interface_name == token : interface_name.starts_with(token);
      });
  return is_listed != spec.is_exclusion;
}

SelectionEnv selection_env(const Environment& environment,
                           const std::optional<std::string>& nccl_version) {
  return {.socket_ifname = variable(environment, "NCCL_SOCKET_IFNAME"),
          .socket_family = variable(environment, "NCCL_SOCKET_FAMILY"),
          .comm_id = variable(environment, "NCCL_COMM_ID"),
          .nccl_version = nccl_version};
}

SelectionResult select_interfaces(const std::vector<model::Interface>& interfaces,
                                  const SelectionEnv& env, std::size_t max) {
  SelectionResult result;
  if (env.socket_ifname && env.socket_ifname->size() > 1) {
    select_by_ifname(interfaces, env, max, result);
    return result;
  }
  if (env.socket_ifname && env.socket_ifname->size() == 1) {
    result.notes.push_back(
        fmt::format("NCCL_SOCKET_IFNAME={} is ignored: NCCL wants more than one "
                    "character",
                    base::printable(*env.socket_ifname)));
  }
  select_automatically(interfaces, env, max, result);
  return result;
}

SelectionResult select_bootstrap(const std::vector<model::Interface>& interfaces,
                                 const SelectionEnv& env) {
  if (!env.comm_id) return select_interfaces(interfaces, env, 1);
  SelectionResult result;
  const std::string setting = "NCCL_COMM_ID=" + base::printable(*env.comm_id);
  const auto remote = parse_comm_id(*env.comm_id);
  if (!remote.address) {
    result.error = fmt::format("{} {}", setting, remote.error);
    return result;
  }
  if (take(result, find_in_subnet(interfaces, *remote.address, remote.zone, 1),
           "same subnet as " + setting)) {
    return result;
  }
  result.error = nothing(interfaces, fmt::format("no address is in the subnet of {}", setting));
  return result;
}

std::vector<ChosenInterface> find_matches(const std::vector<model::Interface>& interfaces,
                                          const IfnameSpec& spec,
                                          const std::optional<std::string>& family,
                                          std::size_t max) {
  auto found = walk(interfaces, [&](const auto& interface, const auto& address) {
    if (!interface.is_running || (family && address.family != *family)) return false;
    if (address.family == "inet6" && address.address == "::1") return false;
    return matches(spec, name_of(interface, address));
  });
  std::vector<ChosenInterface> first;
  for (auto& candidate : found) {
    const auto shown = [](const ChosenInterface& one) { return one.label.value_or(one.name); };
    const bool is_known = std::any_of(first.begin(), first.end(), [&](const auto& one) {
      return shown(one) == shown(candidate);
    });
    if (!is_known && first.size() < max) first.push_back(std::move(candidate));
  }
  return first;
}

std::vector<std::string> notes_on(const IfnameSpec& spec, std::string_view setting) {
  std::vector<std::string> notes;
  if (!spec.dropped.empty()) {
    notes.push_back(fmt::format("{}: only the first 16 names count; dropped: {}", setting,
                                base::printable(base::join(spec.dropped, ", "))));
  }
  for (const auto& token : spec.tokens) {
    if (token.find_first_of("^=") == std::string::npos) continue;
    notes.push_back(
        fmt::format("{}: '{}' is taken as a name: ^ and = count only at the start, as ^=", setting,
                    base::printable(token)));
  }
  return notes;
}

std::string describe(const std::vector<model::Interface>& interfaces) {
  std::vector<std::string> parts;
  for (const auto& interface : interfaces) {
    std::string part = interface.name;
    if (!interface.is_running) part += interface.is_up ? " (no link)" : " (down)";
    if (interface.addresses.empty()) part += " (no address)";
    for (const auto& address : interface.addresses) part += " " + address.address;
    parts.push_back(std::move(part));
  }
  return parts.empty() ? "no interface" : base::join(parts, ", ");
}

}  // namespace ringwise::plan
