#include "system/routes.h"

#include <linux/rtnetlink.h>
#include <netlink/cache.h>
#include <netlink/errno.h>
#include <netlink/route/nexthop.h>
#include <netlink/route/route.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/handle.h"
#include "system/json_values.h"
#include "system/netlink.h"

namespace ringwise::system {
namespace {

using Json = nlohmann::json;
using Cache = base::UniqueHandle<nl_cache, nl_cache_free>;

constexpr std::size_t kRouteFileLimit = std::size_t{64} << 20;

template <typename Key>
void keep_smallest(std::map<Key, std::int64_t>& smallest, const Key& key, std::int64_t mtu) {
  const auto [entry, is_new] = smallest.emplace(key, mtu);
  if (!is_new) entry->second = std::min(entry->second, mtu);
}

// ---- of a fixture ----

std::optional<std::int64_t> mtu_of(const Json& route) {
  const auto metrics = route.find("metrics");
  if (metrics == route.end() || !metrics->is_array()) return std::nullopt;
  std::optional<std::int64_t> smallest;
  for (const auto& metric : *metrics) {
    const auto mtu = positive_of(metric, "mtu");
    if (mtu && (!smallest || *mtu < *smallest)) smallest = mtu;
  }
  return smallest;
}

/// The interfaces of a route: its own, and those of its next hops.
std::vector<std::string> devices_of(const Json& route) {
  std::vector<std::string> devices;
  if (const auto device = text_of(route, "dev")) devices.push_back(*device);
  const auto hops = route.find("nexthops");
  if (hops == route.end() || !hops->is_array()) return devices;
  for (const auto& hop : *hops) {
    if (const auto device = text_of(hop, "dev")) devices.push_back(*device);
  }
  return devices;
}

// ---- of this machine ----

/// Adds the routes of one address family, by interface index; a failure's text when it failed.
std::optional<std::string> add_family(const RouteSocket& socket, int family,
                                      std::map<int, std::int64_t>& smallest) {
  nl_cache* raw = nullptr;
  if (const int rc = rtnl_route_alloc_cache(socket.get(), family, 0, &raw); rc < 0) {
    return fmt::format("routes: rtnl_route_alloc_cache: {}", nl_geterror(rc));
  }
  const Cache cache(raw);
  for (nl_object* object = nl_cache_get_first(cache.get()); object != nullptr;
       object = nl_cache_get_next(object)) {
    // libnl's objects all begin with the members of nl_object.
    auto* route = reinterpret_cast<rtnl_route*>(object);
    std::uint32_t mtu = 0;
    if (rtnl_route_get_type(route) != RTN_UNICAST) continue;
    if (rtnl_route_get_metric(route, RTAX_MTU, &mtu) < 0 || mtu == 0) continue;
    for (int i = 0; i < rtnl_route_get_nnexthops(route); ++i) {
      rtnl_nexthop* hop = rtnl_route_nexthop_n(route, i);
      if (hop == nullptr) continue;
      keep_smallest(smallest, rtnl_route_nh_get_ifindex(hop), std::int64_t{mtu});
    }
  }
  return std::nullopt;
}

void set_route_mtu(model::Interface& interface, std::int64_t mtu) {
  if (!interface.mtu || mtu < *interface.mtu) interface.route_mtu = mtu;
}

bool add_live(std::vector<model::Interface>& interfaces, std::vector<std::string>& problems) {
  std::string problem;
  const auto socket = RouteSocket::open(problem);
  if (!socket) {
    problems.push_back(problem);
    return false;
  }
  std::map<int, std::int64_t> smallest;
  bool is_known = true;
  for (const int family : {AF_INET, AF_INET6}) {
    if (auto failure = add_family(*socket, family, smallest)) {
      problems.push_back(std::move(*failure));
      is_known = false;
    }
  }
  for (auto& interface : interfaces) {
    const auto found = smallest.find(interface.index);
    if (found != smallest.end()) set_route_mtu(interface, found->second);
  }
  return is_known;
}

}  // namespace

std::optional<std::map<std::string, std::int64_t>> parse_ip_routes(std::string_view json) {
  const auto document = Json::parse(json, nullptr, false);
  if (!document.is_array()) return std::nullopt;
  std::map<std::string, std::int64_t> smallest;
  for (const auto& route : document) {
    // Only what is not unicast has a type: "local", "multicast", "unreachable", ...
    if (!route.is_object() || text_of(route, "type").value_or("unicast") != "unicast") continue;
    const auto mtu = mtu_of(route);
    if (!mtu) continue;
    for (const auto& device : devices_of(route)) keep_smallest(smallest, device, *mtu);
  }
  return smallest;
}

bool add_route_mtus(const SysRoot& root, std::vector<model::Interface>& interfaces,
                    std::vector<std::string>& problems) {
  if (root.is_live()) return add_live(interfaces, problems);
  const auto text = root.read("/ip-route.json", kRouteFileLimit);
  if (!text) return false;
  const auto smallest = parse_ip_routes(*text);
  if (!smallest) {
    problems.emplace_back("routes: ip-route.json is not the JSON list of `ip -json route`");
    return false;
  }
  for (auto& interface : interfaces) {
    const auto found = smallest->find(interface.name);
    if (found != smallest->end()) set_route_mtu(interface, found->second);
  }
  return true;
}

}  // namespace ringwise::system
