#include "plan/shm.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::plan {

ShmEstimate shm_estimate(const ShmDemand& demand) {
  using knowledge::kShmHeaderBytes;
  using knowledge::kShmReferenceBytes;
  ShmEstimate estimate;
  const std::uint64_t buffers = demand.ll_bytes + demand.ll128_bytes + demand.simple_bytes;
  estimate.connection_bytes = 2 * (kShmHeaderBytes + kShmReferenceBytes) + buffers;
  // A ring of two local ranks connects each to the other; one rank alone needs nothing.
  const int ring = demand.ranks_on_node - (demand.nodes > 1 ? 1 : 0);
  const auto pairs = static_cast<std::uint64_t>(demand.ranks_on_node > 1 ? std::max(ring, 0) : 0);
  const auto rings = pairs * static_cast<std::uint64_t>(std::max(demand.channels, 0)) *
                     static_cast<std::uint64_t>(std::max(demand.communicators, 0));
  estimate.ring_bytes = rings * estimate.connection_bytes;
  estimate.bytes = demand.has_trees ? 3 * estimate.ring_bytes : estimate.ring_bytes;
  estimate.derivation = fmt::format(
      "{} communicator(s) x {} channels x {} connections between {} ranks of the node x {} "
      "(headers 2 x {} B, LL {}, LL128 {}, Simple {}) = {}",
      demand.communicators, demand.channels, pairs, demand.ranks_on_node,
      base::format_bytes(estimate.connection_bytes), kShmHeaderBytes + kShmReferenceBytes,
      base::format_bytes(demand.ll_bytes), base::format_bytes(demand.ll128_bytes),
      base::format_bytes(demand.simple_bytes), base::format_bytes(estimate.ring_bytes));
  if (demand.has_trees) {
    estimate.derivation +=
        fmt::format(" for rings; trees add at most the same in both directions: x 3 = {}",
                    base::format_bytes(estimate.bytes));
  }
  return estimate;
}

}  // namespace ringwise::plan
