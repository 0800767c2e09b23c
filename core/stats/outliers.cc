#include "stats/outliers.h"

#include <cmath>
#include <limits>

#include "stats/percentile.h"

namespace ringwise::stats {

std::vector<Outlier> outliers(std::span<const double> values, const OutlierLimits& limits) {
  std::vector<Outlier> found;
  if (values.size() < 3) return found;
  const double middle = median(values);
  const double sigma = kMadToSigma * mad(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double distance = values[i] - middle;
    if (distance == 0 || std::abs(distance) < limits.min_share * std::abs(middle)) continue;
    const double sigmas = sigma > 0
                              ? distance / sigma
                              : std::copysign(std::numeric_limits<double>::infinity(), distance);
    if (std::abs(sigmas) > limits.sigmas) found.push_back({i, values[i], sigmas});
  }
  return found;
}

}  // namespace ringwise::stats
