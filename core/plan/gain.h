// How much faster one configuration is than another, from blocks measured in the same run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "model/record.h"

namespace ringwise::plan {

/// A gain below this is not worth a setting, however certain it is.
inline constexpr double kLeastGain = 1.03;

/// Sizes from here on count where settings are compared; below, a setting changes latency rather
/// than bandwidth, and a mean over small sizes hides what the large ones gain. Where none of them
/// was measured, sizes from kLargeAtLeast on.
inline constexpr std::uint64_t kLarge = std::uint64_t{4} << 20;
inline constexpr std::uint64_t kLargeAtLeast = std::uint64_t{1} << 20;

struct Gain {
  double factor = 1;  ///< rate with over rate without; above 1 = faster
  double low = 1;     ///< 95 % interval
  double high = 1;
  std::size_t blocks = 0;
  std::uint64_t from_bytes = 0;  ///< smallest and largest size that went into it
  std::uint64_t to_bytes = 0;

  [[nodiscard]] bool is_faster() const { return low > 1; }
  [[nodiscard]] bool is_slower() const { return high < 1; }
  /// "1.21 (1.18 to 1.24) over 4 MiB to 64 MiB, 6 blocks"
  [[nodiscard]] std::string text() const;
};

/// Paired by block: block i of both was measured at about the same time. For each block the
/// geometric mean over all sizes from `from_bytes` that are usable in both, of the time without
/// over the time with; their median and its interval. Absent when no size is usable in both.
[[nodiscard]] std::optional<Gain> gain(const model::Result& with, const model::Result& without,
                                       std::uint64_t from_bytes);

/// The gain over sizes from kLarge on, else from kLargeAtLeast on; absent without either.
[[nodiscard]] std::optional<Gain> large_gain(const model::Result& with,
                                             const model::Result& without);

}  // namespace ringwise::plan
