// RDMA devices, their ports and GID tables, from /sys/class/infiniband; no verbs library needed.
#pragma once

#include <vector>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Every RDMA device that sysfs lists, mlx5_2 before mlx5_10. With shared RDMA namespaces these
/// are all of the node, also inside a pod that can use none of them. GID rows of zeros are left
/// out; a row whose network device is in another namespace has no type and no netdev.
[[nodiscard]] std::vector<model::RdmaDevice> read_rdma_devices(const SysRoot& root);

}  // namespace ringwise::system
