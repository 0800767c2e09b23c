// Network interfaces: what rtnetlink says, and the device behind each from sysfs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Every interface of this network namespace, in kernel order. In a fixture, those of its
/// ip-addr.json. sysfs facts are left out where /sys shows another network namespace; that and
/// what could not be read is added to `problems`.
[[nodiscard]] std::vector<model::Interface> read_interfaces(const SysRoot& root,
                                                            std::vector<std::string>& problems);

/// The interface of the IPv4 default route with the lowest metric, else of IPv6's.
[[nodiscard]] std::optional<std::string> read_default_interface(const SysRoot& root);

/// The PCI address of a sysfs device folder or of the nearest PCI device above it: a virtio or
/// auxiliary device sits one or more levels below its PCI device.
[[nodiscard]] std::optional<std::string> read_pci_address(const SysRoot& root,
                                                          std::string_view device);

/// NUMA node of a sysfs device folder or of the nearest PCI device above it; absent when the
/// firmware names none (-1).
[[nodiscard]] std::optional<int> read_numa_node(const SysRoot& root, std::string_view device);

}  // namespace ringwise::system
