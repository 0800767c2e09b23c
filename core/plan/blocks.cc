#include "plan/blocks.h"

#include <numeric>

namespace ringwise::plan {
namespace {

/// One step of SplitMix64 (Steele, Lea, Flood 2014): neighbouring inputs give unrelated outputs.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31U);
}

}  // namespace

std::uint64_t draw_below(std::mt19937_64& random, std::uint64_t bound) {
  // The lowest 2^64 mod bound results would make small numbers likelier, so they are drawn again.
  const std::uint64_t unfair = (0 - bound) % bound;
  std::uint64_t drawn = random();
  while (drawn < unfair) drawn = random();
  return drawn % bound;
}

std::vector<std::size_t> block_order(std::size_t configurations, int block, std::uint64_t seed) {
  std::vector<std::size_t> order(configurations);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(mix(seed ^ mix(static_cast<std::uint64_t>(block))));
  shuffle(std::span(order), random);
  return order;
}

}  // namespace ringwise::plan
