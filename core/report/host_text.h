// One host's facts as a person reads them.
#pragma once

#include <string>

#include "model/host.h"
#include "model/record.h"

namespace ringwise::report {

/// Interfaces, RDMA, CPUs, memory, limits, NCCL and the network mode with its evidence; what is
/// not known is said, never shown as 0.
[[nodiscard]] std::string host_text(const model::Host& host, const model::Mode& mode);

}  // namespace ringwise::report
