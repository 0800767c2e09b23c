// Queues of a network interface and the processors that serve its interrupts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Fills the queues of an interface from `folder`, its folder in /sys/class/net, and the processors
/// of its MSI interrupts from /proc/irq. Its pci_address is known already, where there is one.
void add_queues(const SysRoot& root, const std::string& folder, model::Interface& facts);

}  // namespace ringwise::system
