// Places in a build without hwloc: what sysfs says by itself.
#include "system/cpus.h"
#include "system/pci.h"
#include "system/topology.h"

namespace ringwise::system {

Topology read_topology(const SysRoot& root, std::vector<std::string>& problems) {
  Topology topology{.pci = read_pci_devices(root), .numa_nodes = read_numa_nodes(root)};
  for (const auto& device : topology.pci) {
    if (device.numa_node) continue;
    problems.emplace_back(
        "topology: sysfs names no NUMA node for some devices, and this build has no hwloc "
        "(-DRINGWISE_HWLOC=ON)");
    break;
  }
  return topology;
}

}  // namespace ringwise::system
