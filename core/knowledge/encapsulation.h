// What pod networks put around a packet, told by how much smaller their packets are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ringwise::knowledge {

struct Encapsulation {
  std::int64_t bytes = 0;  ///< that a packet loses to the headers
  std::string_view name;   ///< "VXLAN"
  std::string_view also;   ///< others that take as many bytes; empty when there are none
};

/// The encapsulation whose headers take `bytes` off the path MTU. Absent when none is known, and
/// for 0: that is none at all.
[[nodiscard]] std::optional<Encapsulation> encapsulation_of(std::int64_t bytes);

/// Bytes of a full-sized packet that carry a TCP stream's data: without the headers of IP (20 for
/// "inet", 40 for "inet6") and TCP (20, and 12 of time stamps).
[[nodiscard]] std::int64_t tcp_payload(std::int64_t mtu, std::string_view family);

}  // namespace ringwise::knowledge
