#include "system/netlink.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netlink/cache.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/rtnl.h>
#include <netlink/socket.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/handle.h"

namespace ringwise::system {
namespace {

using Cache = base::UniqueHandle<nl_cache, nl_cache_free>;

std::string failure(std::string_view call, int code) {
  return fmt::format("interfaces: {}: {}", call, nl_geterror(code));
}

std::string hardware_address(rtnl_link* link) {
  nl_addr* address = rtnl_link_get_addr(link);
  if (address == nullptr || nl_addr_get_len(address) == 0) return {};
  std::array<char, 128> text{};
  return nl_addr2str(address, text.data(), text.size());
}

Link to_link(rtnl_link* link, const std::map<int, std::string>& names) {
  Link result;
  model::Interface& facts = result.facts;
  const char* name = rtnl_link_get_name(link);
  const char* kind = rtnl_link_get_type(link);
  facts.name = name == nullptr ? "" : name;
  facts.kind = kind == nullptr ? "" : kind;
  facts.index = rtnl_link_get_ifindex(link);
  const unsigned flags = rtnl_link_get_flags(link);
  facts.is_up = (flags & IFF_UP) != 0;
  facts.is_running = (flags & IFF_RUNNING) != 0;
  facts.is_loopback = (flags & IFF_LOOPBACK) != 0;
  if (const unsigned mtu = rtnl_link_get_mtu(link); mtu > 0) facts.mtu = mtu;
  if (const int lower = rtnl_link_get_link(link); lower > 0) facts.lower_index = lower;
  int lower_namespace = 0;
  if (rtnl_link_get_link_netnsid(link, &lower_namespace) == 0) {
    facts.lower_namespace = lower_namespace;
  }
  if (const int master = rtnl_link_get_master(link); master > 0) {
    const auto found = names.find(master);
    facts.master = found == names.end() ? fmt::format("index {}", master) : found->second;
  }
  result.hardware_address = hardware_address(link);
  return result;
}

/// `name` is the interface's.
std::optional<model::Address> to_address(rtnl_addr* address, const std::string& name) {
  nl_addr* local = rtnl_addr_get_local(address);
  if (local == nullptr) return std::nullopt;
  const int family = nl_addr_get_family(local);
  if (family != AF_INET && family != AF_INET6) return std::nullopt;
  const std::size_t length = family == AF_INET ? 4 : 16;
  if (nl_addr_get_len(local) != length) return std::nullopt;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (inet_ntop(family, nl_addr_get_binary_addr(local), text.data(), text.size()) == nullptr) {
    return std::nullopt;
  }
  std::array<char, 32> scope{};
  rtnl_scope2str(rtnl_addr_get_scope(address), scope.data(), scope.size());
  model::Address result{.family = family == AF_INET ? "inet" : "inet6",
                        .address = text.data(),
                        .prefix_length = rtnl_addr_get_prefixlen(address),
                        .scope = scope.data()};
  const char* label = rtnl_addr_get_label(address);
  if (label != nullptr && *label != '\0' && label != name) result.label = label;
  return result;
}

/// Calls `use` with every object of the cache, in the order in which the kernel sent them.
template <typename Object, typename Use>
void for_each(nl_cache* cache, Use use) {
  for (nl_object* object = nl_cache_get_first(cache); object != nullptr;
       object = nl_cache_get_next(object)) {
    // libnl's objects all begin with the members of nl_object.
    use(reinterpret_cast<Object*>(object));
  }
}

void add_addresses(const RouteSocket& socket, std::vector<Link>& links,
                   std::vector<std::string>& problems) {
  nl_cache* raw = nullptr;
  if (const int rc = rtnl_addr_alloc_cache(socket.get(), &raw); rc < 0) {
    problems.push_back(failure("rtnl_addr_alloc_cache", rc));
    return;
  }
  const Cache cache(raw);
  for_each<rtnl_addr>(cache.get(), [&](rtnl_addr* entry) {
    const int index = rtnl_addr_get_ifindex(entry);
    const auto owner = std::ranges::find_if(
        links, [index](const Link& link) { return link.facts.index == index; });
    if (owner == links.end()) return;
    const auto address = to_address(entry, owner->facts.name);
    if (address) owner->facts.addresses.push_back(*address);
  });
}

}  // namespace

void RouteSocket::Close::operator()(nl_sock* socket) const {
  nl_socket_free(socket);
}

std::optional<RouteSocket> RouteSocket::open(std::string& problem) {
  RouteSocket socket(nl_socket_alloc());
  if (socket.get() == nullptr) {
    problem = "interfaces: nl_socket_alloc: out of memory";
    return std::nullopt;
  }
  if (const int rc = nl_connect(socket.get(), NETLINK_ROUTE); rc < 0) {
    problem = failure("nl_connect", rc);
    return std::nullopt;
  }
  const timeval limit{.tv_sec = 5, .tv_usec = 0};
  if (setsockopt(nl_socket_get_fd(socket.get()), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) !=
      0) {
    problem = "interfaces: setsockopt SO_RCVTIMEO failed";
    return std::nullopt;
  }
  return socket;
}

std::vector<Link> read_links(std::vector<std::string>& problems) {
  std::vector<Link> links;
  std::string problem;
  const auto socket = RouteSocket::open(problem);
  if (!socket) {
    problems.push_back(problem);
    return links;
  }
  nl_cache* raw = nullptr;
  if (const int rc = rtnl_link_alloc_cache(socket->get(), AF_UNSPEC, &raw); rc < 0) {
    problems.push_back(failure("rtnl_link_alloc_cache", rc));
    return links;
  }
  const Cache cache(raw);
  std::map<int, std::string> names;
  for_each<rtnl_link>(cache.get(), [&](rtnl_link* link) {
    if (const char* name = rtnl_link_get_name(link)) names[rtnl_link_get_ifindex(link)] = name;
  });
  for_each<rtnl_link>(cache.get(), [&](rtnl_link* link) { links.push_back(to_link(link, names)); });
  add_addresses(*socket, links, problems);
  return links;
}

}  // namespace ringwise::system
