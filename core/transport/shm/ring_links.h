// Connects the ranks of one host in a ring through shared memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "comm/communicator.h"
#include "transport/transport.h"

namespace ringwise::transport::shm {

struct RingOptions {
  std::vector<std::string> hosts;  ///< of each rank of the communicator
  /// Names the segments of this run; the run's secret token does not belong in a file name.
  std::uint64_t run_id = 0;
  int channels = 1;
  std::uint32_t block = 0;
  std::shared_ptr<const std::string> step;  ///< see Peer
};

/// Bytes of /dev/shm that each rank of a ring takes.
[[nodiscard]] std::size_t segment_bytes(int channels);

/// Ranks of `rank`'s host, ascending, itself among them.
[[nodiscard]] std::vector<int> ranks_of_host(const std::vector<std::string>& hosts, int rank);

/// Rings of the ranks of each host, in rank order. A rank alone on its host gets empty links.
/// Collective, over all hosts. Throws PlacedError, Error(kRefused) when /dev/shm has no room.
[[nodiscard]] Links connect_ring(comm::Communicator& comm, const RingOptions& options,
                                 base::Deadline deadline);

}  // namespace ringwise::transport::shm
