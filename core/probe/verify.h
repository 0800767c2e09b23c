// Payloads whose all-reduce is known exactly, so that every wrong element is found.
#pragma once

#include <cstdint>
#include <span>

namespace ringwise::probe {

/// What makes the values of one operation differ from those of any other.
struct PayloadKey {
  std::uint64_t seed = 0;
  std::uint32_t iteration = 0;
};

/// Whole numbers that depend on rank, index and key. Sums over up to 16,384 ranks stay below 2^24,
/// where float32 counts exactly, in any order of addition.
void fill_payload(std::span<float> values, int rank, const PayloadKey& key);

/// Elements that are not the sum over all ranks.
[[nodiscard]] std::uint64_t count_wrong_sums(std::span<const float> values, int ranks,
                                             const PayloadKey& key);

/// Elements that are not what `rank` filled in at `first` + their index.
[[nodiscard]] std::uint64_t count_wrong_copies(std::span<const float> values, std::size_t first,
                                               int rank, const PayloadKey& key);

}  // namespace ringwise::probe
