// The sysctls that limit one TCP connection.
#pragma once

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Of this network namespace; a sysctl that it does not show is absent.
[[nodiscard]] model::TcpLimits read_tcp_limits(const SysRoot& root);

}  // namespace ringwise::system
