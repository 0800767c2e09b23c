#include "plan/ring_variables.h"

#include <algorithm>
#include <array>

namespace ringwise::plan {
namespace {

constexpr std::array<std::string_view, 9> kRingVariables{
    "NCCL_COMM_ID",          "NCCL_MAX_NCHANNELS", "NCCL_MIN_NCHANNELS",
    "NCCL_NSOCKS_PERTHREAD", "NCCL_SOCKET_FAMILY", "NCCL_SOCKET_IFNAME",
    "NCCL_SOCKET_NTHREADS",  "NCCL_SOCKET_RCVBUF", "NCCL_SOCKET_SNDBUF"};

}  // namespace

std::span<const std::string_view> ring_variables() {
  return kRingVariables;
}

bool is_ring_variable(std::string_view name) {
  return std::binary_search(kRingVariables.begin(), kRingVariables.end(), name);
}

}  // namespace ringwise::plan
