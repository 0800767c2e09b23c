// Byte, packet and error counters of interfaces, as the kernel holds them for this namespace.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.h"

namespace ringwise::system {

struct InterfaceCounters {
  std::string name;
  int index = 0;
  model::CounterValues values;
};

/// 64-bit rtnetlink statistics (IFLA_STATS64), so that they are right for this network namespace
/// even where /sys shows another one. Keys: rx_bytes, tx_bytes, rx_packets, tx_packets, rx_errors,
/// tx_errors, rx_dropped, tx_dropped. Bytes count Ethernet headers and retransmissions. Absent
/// when there is no such interface or the kernel cannot be asked.
[[nodiscard]] std::optional<model::CounterValues> read_interface_counters(std::string_view name);

/// The same of every interface, in kernel order; empty when the kernel cannot be asked.
[[nodiscard]] std::vector<InterfaceCounters> read_interface_counters();

}  // namespace ringwise::system
