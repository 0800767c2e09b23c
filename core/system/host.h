// All facts of one host or pod in one call.
#pragma once

#include <optional>

#include "model/host.h"
#include "system/environment.h"
#include "system/nccl_library.h"
#include "system/sysroot.h"

namespace ringwise::system {

struct HostOptions {
  bool find_nccl = true;  ///< loads NCCL in a child process; takes up to a second
  NcclSearch nccl;
  /// Instead of this process's environment. A fixture has an empty one unless given.
  std::optional<Environment> environment;
};

/// What cannot be read is absent, with a line in `problems` where that is not normal. Does not
/// throw for an odd machine. Changes nothing on the machine and opens no device.
[[nodiscard]] model::Host read_host(const SysRoot& root, const HostOptions& options = {});

}  // namespace ringwise::system
