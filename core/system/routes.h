// MTUs that routes set: Cilium, for one, puts a tunnel's smaller MTU on the route and leaves the
// device alone (source: Cilium pkg/mtu).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Interface name to the smallest MTU metric (RTAX_MTU, bytes) of the unicast routes over it, out
/// of what `ip -json route show table all` printed; interfaces whose routes set none are left out.
/// Absent when the text is no such list. Never throws on bad text.
[[nodiscard]] std::optional<std::map<std::string, std::int64_t>> parse_ip_routes(
    std::string_view json);

/// Sets `route_mtu` where a route's MTU is below the interface's own. IPv4 and IPv6, all routing
/// tables: by rtnetlink, of a fixture by its ip-route.json. False when the routes are not known: a
/// fixture without that file, or a failure, which is added to `problems`.
[[nodiscard]] bool add_route_mtus(const SysRoot& root, std::vector<model::Interface>& interfaces,
                                  std::vector<std::string>& problems);

}  // namespace ringwise::system
