// Random orders that every rank and every platform draws alike from the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace ringwise::plan {

/// A whole number from 0 to `bound` - 1, each as likely. `bound` must not be 0. Not
/// std::uniform_int_distribution, whose results differ between standard libraries.
[[nodiscard]] std::uint64_t draw_below(std::mt19937_64& random, std::uint64_t bound);

/// Fisher and Yates's shuffle with draw_below.
template <typename T>
void shuffle(std::span<T> values, std::mt19937_64& random) {
  for (std::size_t left = values.size(); left > 1; --left) {
    std::swap(values[left - 1], values[draw_below(random, left)]);
  }
}

/// 0 to `configurations` - 1, each once, in the order in which block number `block` runs them.
/// Blocks of one seed have different orders, and block k has the same order whatever ran before.
[[nodiscard]] std::vector<std::size_t> block_order(std::size_t configurations, int block,
                                                   std::uint64_t seed);

}  // namespace ringwise::plan
