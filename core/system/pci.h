// Network, GPU and storage devices on the PCI bus, from sysfs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Sorted by address. `link_gbyte_per_s` is the link as it runs now: a GPU lowers it when idle.
[[nodiscard]] std::vector<model::PciDevice> read_pci_devices(const SysRoot& root);

/// "network", "gpu" or "storage" from a PCI class such as 0x020000; absent for others, and for
/// the display controllers of management boards. Vendors are those of the PCI ID list.
[[nodiscard]] std::optional<std::string> device_class_of(unsigned pci_class, unsigned vendor);

/// Payload rate of a PCIe link in GB/s, one direction, from sysfs' "16.0 GT/s PCIe" and the
/// number of lanes.
[[nodiscard]] std::optional<double> link_rate(std::string_view speed, int lanes);

}  // namespace ringwise::system
