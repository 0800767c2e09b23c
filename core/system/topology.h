// Where devices sit: PCIe and NUMA places.
#pragma once

#include <string>
#include <vector>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

struct Topology {
  std::vector<model::PciDevice> pci;  ///< network, GPU and storage devices, sorted by address
  std::vector<model::NumaNode> numa_nodes;
};

/// From sysfs, completed by hwloc in builds that have it: hwloc also knows the NUMA node where the
/// firmware does not say it. In a fixture, hwloc reads its topology.xml. Adds to `problems` what
/// could not be found out.
[[nodiscard]] Topology read_topology(const SysRoot& root, std::vector<std::string>& problems);

}  // namespace ringwise::system
