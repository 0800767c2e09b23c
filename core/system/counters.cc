#include "system/counters.h"

#include <netlink/cache.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <sys/socket.h>

#include <array>
#include <utility>

#include "base/handle.h"
#include "system/netlink.h"

namespace ringwise::system {
namespace {

using Cache = base::UniqueHandle<nl_cache, nl_cache_free>;
using OwnedLink = base::UniqueHandle<rtnl_link, rtnl_link_put>;

constexpr std::array<std::pair<const char*, rtnl_link_stat_id_t>, 8> kCounters{{
    {"rx_bytes", RTNL_LINK_RX_BYTES},
    {"tx_bytes", RTNL_LINK_TX_BYTES},
    {"rx_packets", RTNL_LINK_RX_PACKETS},
    {"tx_packets", RTNL_LINK_TX_PACKETS},
    {"rx_errors", RTNL_LINK_RX_ERRORS},
    {"tx_errors", RTNL_LINK_TX_ERRORS},
    {"rx_dropped", RTNL_LINK_RX_DROPPED},
    {"tx_dropped", RTNL_LINK_TX_DROPPED},
}};

model::CounterValues values_of(rtnl_link* link) {
  model::CounterValues values;
  for (const auto& [key, id] : kCounters) values[key] = rtnl_link_get_stat(link, id);
  return values;
}

}  // namespace

std::optional<model::CounterValues> read_interface_counters(std::string_view name) {
  std::string problem;
  const auto socket = RouteSocket::open(problem);
  if (!socket || name.empty()) return std::nullopt;
  rtnl_link* raw = nullptr;
  if (rtnl_link_get_kernel(socket->get(), 0, std::string(name).c_str(), &raw) < 0) {
    return std::nullopt;
  }
  const OwnedLink link(raw);
  return values_of(link.get());
}

std::vector<InterfaceCounters> read_interface_counters() {
  std::vector<InterfaceCounters> counters;
  std::string problem;
  const auto socket = RouteSocket::open(problem);
  nl_cache* raw = nullptr;
  if (!socket || rtnl_link_alloc_cache(socket->get(), AF_UNSPEC, &raw) < 0) return counters;
  const Cache cache(raw);
  for (nl_object* object = nl_cache_get_first(cache.get()); object != nullptr;
       object = nl_cache_get_next(object)) {
    auto* link = reinterpret_cast<rtnl_link*>(object);  // begins with the members of nl_object
    const char* name = rtnl_link_get_name(link);
    counters.push_back({.name = name == nullptr ? "" : name,
                        .index = rtnl_link_get_ifindex(link),
                        .values = values_of(link)});
  }
  return counters;
}

}  // namespace ringwise::system
