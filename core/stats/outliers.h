// Values that lie far from their peers, judged by the median absolute deviation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ringwise::stats {

struct OutlierLimits {
  /// Distance from the median in estimated standard deviations (kMadToSigma x MAD). 3.5 is the
  /// limit of Iglewicz and Hoaglin, "How to Detect and Handle Outliers", 1993.
  double sigmas = 3.5;
  /// Distance from the median, as a share of it, below which nothing is an outlier. Needed because
  /// the deviation of nearly equal values is nearly 0.
  double min_share = 0.02;
};

struct Outlier {
  std::size_t index = 0;  ///< into the values given
  double value = 0;
  double sigmas = 0;  ///< signed distance from the median; infinite when the deviation is 0
};

/// In the order of the values. None when there are fewer than three: two cannot outvote one.
[[nodiscard]] std::vector<Outlier> outliers(std::span<const double> values,
                                            const OutlierLimits& limits = {});

}  // namespace ringwise::stats
