// ringwise's own --interface option: NCCL's grammar, or networks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/nccl_interfaces.h"

namespace ringwise::plan {

/// `option` is NCCL_SOCKET_IFNAME's grammar ("eth", "=eth0,eth1", "^docker"), or a comma list of
/// networks ("10.0.0.0/8,fd00::/64"), which selects the first address of each interface that lies
/// in one of them. `family` ("AF_INET", "AF_INET6") limits both. Interfaces need a link. Unlike
/// NCCL, one character is enough for a name, and ::1/128 selects the IPv6 loopback.
/// Errors in words: no match says what there is, and what is no network says so.
[[nodiscard]] SelectionResult select_by_option(const std::vector<model::Interface>& interfaces,
                                               const std::string& option,
                                               const std::optional<std::string>& family = {});

/// Empty when exactly one interface was chosen; otherwise the selection's own error, or which
/// ones match where one was expected.
[[nodiscard]] std::string error_unless_one(const SelectionResult& result);

}  // namespace ringwise::plan
