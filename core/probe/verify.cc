#include "probe/verify.h"

namespace ringwise::probe {
namespace {

/// A value is `base` + (rank mod 256) * `slope`, with base below 256 and slope below 4.
struct Element {
  std::uint32_t base;
  std::uint32_t slope;
};

// Mixes so that neighbours, repeats at powers of two and the key's neighbours differ.
Element element(std::uint32_t index, std::uint32_t salt) {
  std::uint32_t x = (index + salt) * 0x9E3779B1U;
  x ^= x >> 15;
  x *= 0x85EBCA77U;
  x ^= x >> 13;
  return {x & 255U, (x >> 8) & 3U};
}

std::uint32_t salt_of(const PayloadKey& key) {
  return static_cast<std::uint32_t>(key.seed ^ (key.seed >> 32)) + key.iteration * 0xC2B2AE3DU;
}

std::uint32_t weight_of(int rank) {
  return static_cast<std::uint32_t>(rank) & 255U;
}

}  // namespace

void fill_payload(std::span<float> values, int rank, const PayloadKey& key) {
  const auto salt = salt_of(key);
  const auto weight = weight_of(rank);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Element e = element(static_cast<std::uint32_t>(i), salt);
    values[i] = static_cast<float>(e.base + weight * e.slope);
  }
}

std::uint64_t count_wrong_sums(std::span<const float> values, int ranks, const PayloadKey& key) {
  const auto salt = salt_of(key);
  std::uint32_t weights = 0;
  for (int rank = 0; rank < ranks; ++rank) weights += weight_of(rank);
  const auto count = static_cast<std::uint32_t>(ranks);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Element e = element(static_cast<std::uint32_t>(i), salt);
    wrong += values[i] == static_cast<float>(count * e.base + weights * e.slope) ? 0U : 1U;
  }
  return wrong;
}

std::uint64_t count_wrong_copies(std::span<const float> values, std::size_t first, int rank,
                                 const PayloadKey& key) {
  const auto salt = salt_of(key);
  const auto weight = weight_of(rank);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Element e = element(static_cast<std::uint32_t>(first + i), salt);
    wrong += values[i] == static_cast<float>(e.base + weight * e.slope) ? 0U : 1U;
  }
  return wrong;
}

}  // namespace ringwise::probe
