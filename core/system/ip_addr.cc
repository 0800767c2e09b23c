#include "system/ip_addr.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "system/json_values.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostLinks = 65536;

std::optional<int> int_of(const Json& object, const char* key) {
  const auto value = number_of(object, key);
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

bool has_flag(const Json& object, std::string_view flag) {
  const auto flags = object.find("flags");
  if (flags == object.end() || !flags->is_array()) return false;
  return std::ranges::any_of(*flags, [flag](const Json& entry) {
    return entry.is_string() && entry.get_ref<const std::string&>() == flag;
  });
}

/// iproute2 prints LOWER_UP (carrier) and not RUNNING; the kernel derives IFF_RUNNING from the
/// operational state (source: Linux net/core/dev.c dev_get_flags, netif_oper_up).
bool is_running(const Json& object) {
  const auto state = text_of(object, "operstate").value_or("UNKNOWN");
  return has_flag(object, "UP") && (state == "UP" || state == "UNKNOWN");
}

std::vector<model::Address> addresses_of(const Json& object, const std::string& name) {
  std::vector<model::Address> addresses;
  const auto found = object.find("addr_info");
  if (found == object.end() || !found->is_array()) return addresses;
  for (const auto& entry : *found) {
    if (!entry.is_object()) continue;
    const auto family = text_of(entry, "family");
    const auto local = text_of(entry, "local");
    if (!local || (family != "inet" && family != "inet6")) continue;
    model::Address address{.family = *family,
                           .address = *local,
                           .prefix_length = int_of(entry, "prefixlen").value_or(0),
                           .scope = text_of(entry, "scope").value_or("")};
    const auto label = text_of(entry, "label");
    if (label && *label != name) address.label = label;
    addresses.push_back(std::move(address));
  }
  return addresses;
}

std::optional<Link> to_link(const Json& object) {
  if (!object.is_object()) return std::nullopt;
  const auto name = text_of(object, "ifname");
  const auto index = int_of(object, "ifindex");
  if (!name || !index) return std::nullopt;
  Link link;
  model::Interface& facts = link.facts;
  facts.name = *name;
  facts.index = *index;
  if (const auto info = object.find("linkinfo"); info != object.end() && info->is_object()) {
    facts.kind = text_of(*info, "info_kind").value_or("");
  }
  facts.is_up = has_flag(object, "UP");
  facts.is_running = is_running(object);
  facts.is_loopback = has_flag(object, "LOOPBACK");
  facts.mtu = number_of(object, "mtu");
  facts.master = text_of(object, "master");
  facts.lower_index = int_of(object, "link_index");
  facts.lower_namespace = int_of(object, "link_netnsid");
  facts.addresses = addresses_of(object, facts.name);
  link.hardware_address = text_of(object, "address").value_or("");
  return link;
}

/// The index of "if7": what iproute2 prints for a device that is not in this namespace when the
/// kernel does not say in which one it is, as for IPoIB children (source: iproute2
/// lib/ll_map.c ll_idx_n2a).
std::optional<int> unnamed_index(std::string_view name) {
  if (!name.starts_with("if")) return std::nullopt;
  const auto index = parse_unsigned(name.substr(2));
  if (!index || *index == 0 || *index > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*index);
}

}  // namespace

std::vector<Link> parse_ip_addr(std::string_view json, std::vector<std::string>& problems) {
  std::vector<Link> links;
  const auto document = Json::parse(json, nullptr, false);
  if (!document.is_array()) {
    problems.emplace_back("interfaces: ip-addr.json is not the JSON list of `ip -json addr`");
    return links;
  }
  std::map<std::string, int> indices;
  std::vector<std::optional<std::string>> lowers;
  std::size_t bad = 0;
  for (const auto& entry : document) {
    auto link = to_link(entry);
    if (link && links.size() < kMostLinks) {
      indices[link->facts.name] = link->facts.index;
      lowers.push_back(text_of(entry, "link"));
      links.push_back(std::move(*link));
    } else if (!entry.is_object() || !entry.empty()) {  // `ip` prints {} for what it filtered out
      ++bad;
    }
  }
  // iproute2 gives the lower device by name when the kernel names no other namespace.
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto& name = lowers[i];
    if (!name || links[i].facts.lower_index) continue;
    const auto lower = indices.find(*name);
    links[i].facts.lower_index = lower != indices.end() ? lower->second : unnamed_index(*name);
  }
  if (bad > 0) {
    problems.push_back(
        fmt::format("interfaces: {} entries of ip-addr.json have no name or index", bad));
  }
  return links;
}

}  // namespace ringwise::system
