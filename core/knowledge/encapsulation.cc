#include "knowledge/encapsulation.h"

#include <algorithm>
#include <array>

namespace ringwise::knowledge {
namespace {

/// Source: Calico's MTU table, Cilium pkg/mtu, flannel's backends, OVN-Kubernetes' documentation.
constexpr std::array<Encapsulation, 8> kKnown{{
    {20, "IPIP", ""},
    {28, "flannel's UDP tunnel", ""},
    {50, "VXLAN", "Cilium's Geneve"},
    {58, "Geneve", ""},
    {60, "WireGuard", ""},
    {70, "VXLAN over IPv6", ""},
    {80, "WireGuard", "WireGuard over IPv6"},
    {100, "OVN-Kubernetes' Geneve", ""},
}};

}  // namespace

std::optional<Encapsulation> encapsulation_of(std::int64_t bytes) {
  const auto* found = std::find_if(kKnown.begin(), kKnown.end(),
                                   [bytes](const auto& row) { return row.bytes == bytes; });
  if (found == kKnown.end()) return std::nullopt;
  return *found;
}

std::int64_t tcp_payload(std::int64_t mtu, std::string_view family) {
  constexpr std::int64_t kTcp = 20 + 12;
  return mtu - (family == "inet6" ? 40 : 20) - kTcp;
}

}  // namespace ringwise::knowledge
