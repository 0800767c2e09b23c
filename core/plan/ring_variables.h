// Which NCCL variables the tcp-allreduce ring acts on as NCCL would: those that a trial can judge.
#pragma once

#include <span>
#include <string_view>

namespace ringwise::plan {

/// Sorted. Interfaces (nccl_interfaces.h), sockets and channels (nccl_sockets.h) and the sockets'
/// buffers. A set with any other variable would be measured exactly as without it.
[[nodiscard]] std::span<const std::string_view> ring_variables();

[[nodiscard]] bool is_ring_variable(std::string_view name);

}  // namespace ringwise::plan
