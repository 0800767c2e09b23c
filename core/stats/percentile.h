// Order statistics of samples: median, percentiles and the median absolute deviation.
#pragma once

#include <span>
#include <vector>

namespace ringwise::stats {

/// Middle value; mean of the two middle ones when the count is even.
/// Throws Error(kInternal) when there is no value.
[[nodiscard]] double median(std::span<const double> values);

/// Value at `percent` (0 to 100) of the sorted values: linear interpolation at position
/// (n - 1) x percent / 100, counted from 0 (Hyndman and Fan's type 7, what numpy and R do).
/// Throws Error(kInternal) when there is no value or `percent` is outside 0 to 100.
[[nodiscard]] double percentile(std::span<const double> values, double percent);

/// Smallest value below or at which `percent` of all samples lie when every block weighs alike,
/// however many samples it has. From 75 on it is never below the median of the block medians.
/// Throws Error(kInternal) when a block is empty or there is none, or `percent` is outside 0 to
/// 100.
[[nodiscard]] double percentile_of_blocks(std::span<const std::vector<double>> blocks,
                                          double percent);

/// Median absolute deviation from the median, not scaled. Times kMadToSigma it estimates the
/// standard deviation of normal samples. Throws Error(kInternal) when there is no value.
[[nodiscard]] double mad(std::span<const double> values);

/// 1 / (75th percentile of the standard normal distribution).
inline constexpr double kMadToSigma = 1.482602218505602;

}  // namespace ringwise::stats
