// How much of /dev/shm NCCL's shared memory transport takes on one node.
#pragma once

#include <cstdint>
#include <string>

#include "knowledge/shm_facts.h"

namespace ringwise::plan {

struct ShmDemand {
  int ranks_on_node = 1;  ///< GPUs of the node that talk over shared memory
  int nodes = 1;          ///< with several, a ring has one connection less inside each
  int channels = 2;
  int communicators = 1;
  bool has_trees = true;  ///< tree algorithms connect too, at their first use
  std::uint64_t simple_bytes = knowledge::kSimpleBufferBytes;  ///< NCCL_BUFFSIZE
  std::uint64_t ll_bytes = knowledge::kLlBufferBytes;          ///< NCCL_LL_BUFFSIZE
  std::uint64_t ll128_bytes = knowledge::kLl128BufferBytes;    ///< NCCL_LL128_BUFFSIZE
};

struct ShmEstimate {
  std::uint64_t connection_bytes = 0;  ///< one channel, one direction, both segments
  std::uint64_t ring_bytes = 0;        ///< rings alone: the least
  std::uint64_t bytes = 0;             ///< with trees where asked: the most
  std::string derivation;              ///< the sum in words and numbers
};

/// Upper estimate: a tree's connections in both directions are counted beside the ring's, although
/// some are the same pair; send/recv and the proxies' small segments are not in it.
/// Source: NCCL 2.30.7 src/transport/shm.cc (shmSendSetup, shmRecvSetup).
[[nodiscard]] ShmEstimate shm_estimate(const ShmDemand& demand);

}  // namespace ringwise::plan
