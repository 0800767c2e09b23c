// Confidence intervals that assume nothing about the distribution of the samples.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace ringwise::stats {

struct Interval {
  double low = 0;
  double high = 0;
};

/// Fewest independent samples that can give a 95 % interval of a median: with 6, the smallest and
/// the largest enclose it with probability 1 - 2 / 2^6 = 96.9 %; with 5 it would be 93.8 %.
inline constexpr std::size_t kMinSamples = 6;

/// Interval that contains the median of the distribution with at least `confidence` (0 to 1): from
/// the k-th smallest to the k-th largest value, with the largest k for which
/// 1 - 2 P(Binomial(n, 1/2) < k) >= confidence. The samples have to be independent, so give it
/// block medians and not the iterations inside a block.
/// Absent with fewer than kMinSamples values, or where no two values reach `confidence`.
[[nodiscard]] std::optional<Interval> median_interval(std::span<const double> values,
                                                      double confidence = 0.95);

/// Median of a[i] / b[i]. `a` and `b` are paired: element i of both is from the same block.
/// Absent when there is no pair, or a value is not finite or a divisor is not above 0.
/// Throws Error(kInternal) when the lengths differ.
[[nodiscard]] std::optional<double> median_ratio(std::span<const double> a,
                                                 std::span<const double> b);

/// median_interval of a[i] / b[i]. Absent where median_ratio or median_interval is absent.
/// Throws Error(kInternal) when the lengths differ.
[[nodiscard]] std::optional<Interval> ratio_interval(std::span<const double> a,
                                                     std::span<const double> b,
                                                     double confidence = 0.95);

/// Interval of the factor by which the distribution of `a` lies above that of `b`, for samples that
/// are not paired: between order statistics of all a[i] / b[j], after Mann and Whitney (Hollander,
/// Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd edition, section 4.3). Exact for
/// samples without ties. Absent with fewer than kMinSamples values on either side, where
/// `confidence` cannot be reached, or when a value is not finite or not above 0.
[[nodiscard]] std::optional<Interval> unpaired_ratio_interval(std::span<const double> a,
                                                              std::span<const double> b,
                                                              double confidence = 0.95);

}  // namespace ringwise::stats
