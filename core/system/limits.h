// Resource limits and capabilities of this process.
#pragma once

#include <string>
#include <vector>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// From /proc/self/limits and /proc/self/status. Locked memory: unlimited gives no bytes and
/// is_memlock_unlimited; unknown gives neither and a line in `problems`. The hard limit is known
/// whenever the soft one is, so an absent hard limit beside a known soft one means unlimited.
[[nodiscard]] model::Limits read_limits(const SysRoot& root, std::vector<std::string>& problems);

}  // namespace ringwise::system
