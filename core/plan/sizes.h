// The list of message sizes to measure, from a list or from a range as nccl-tests takes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ringwise::plan {

/// Options as typed; empty = not given. Sizes as base::parse_bytes reads them.
struct SizeOptions {
  std::vector<std::string> sizes = {};  ///< --sizes
  std::string min_bytes = {};           ///< --min-bytes; 8 when only --max-bytes is given
  std::string max_bytes = {};           ///< --max-bytes; 64 MiB when only --min-bytes is given
  std::string factor = {};              ///< --factor; 2 when a range is given without it
};

struct SizeList {
  std::vector<std::uint64_t> sizes;  ///< bytes, ascending, each once; multiples of 4 (float32)
  std::string error;                 ///< in words, with the option; empty when the list is good
};

/// 8 B, 1 KiB, 16 KiB, 256 KiB, 1 MiB, 4 MiB, 16 MiB, 64 MiB: latency, the switch of protocols,
/// and bandwidth.
[[nodiscard]] std::vector<std::uint64_t> default_sizes();

/// default_sizes() when nothing is given.
[[nodiscard]] SizeList parse_sizes(const SizeOptions& options);

}  // namespace ringwise::plan
