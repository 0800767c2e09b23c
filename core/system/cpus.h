// Processors, NUMA nodes and memory.
#pragma once

#include <string>
#include <vector>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Processors, affinity and control group; NUMA nodes are left to read_topology. Live, the
/// affinity is the calling thread's (sched_getaffinity); in a fixture, /proc/self/status has it.
[[nodiscard]] model::Cpus read_cpus(const SysRoot& root, std::vector<std::string>& problems);

/// NUMA nodes from sysfs.
[[nodiscard]] std::vector<model::NumaNode> read_numa_nodes(const SysRoot& root);

/// Total, available and the control group's.
[[nodiscard]] model::Memory read_memory(const SysRoot& root, std::vector<std::string>& problems);

}  // namespace ringwise::system
