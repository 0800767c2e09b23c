// IPv4 and IPv6 networks as text: "10.0.0.0/8", "fd00::/64".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringwise::plan {

struct Cidr {
  std::string family;                ///< "inet" or "inet6"
  std::vector<unsigned char> bytes;  ///< 4 or 16, network order; bits beyond the prefix may be set
  int prefix_length = 0;
};

/// A network or, without "/", one address. IPv4 may be short as inet_aton takes it only when
/// there is no "/". Empty when the text is anything else.
[[nodiscard]] std::optional<Cidr> parse_cidr(std::string_view text);

/// Whether `address` (text, without zone) lies in the network. False when it is of the other
/// family or no address.
[[nodiscard]] bool contains(const Cidr& network, std::string_view address);

}  // namespace ringwise::plan
