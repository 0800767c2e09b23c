// Reads what `ip -details -json addr show` printed on another machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "system/netlink.h"

namespace ringwise::system {

/// Links in the order of the text. Entries without a name or an index are left out; what is wrong
/// goes to `problems`. Never throws on bad text.
[[nodiscard]] std::vector<Link> parse_ip_addr(std::string_view json,
                                              std::vector<std::string>& problems);

}  // namespace ringwise::system
