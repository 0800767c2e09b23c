// Shared memory for the ranks of one host: /dev/shm, which NCCL and ringwise put segments in.
#pragma once

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Live, sizes come from statvfs(3). In a fixture, the size is the mount's size= option and the
/// use is unknown. `reason` says why a size is absent.
[[nodiscard]] model::SharedMemory read_shared_memory(const SysRoot& root);

}  // namespace ringwise::system
