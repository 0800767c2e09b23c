#include "stats/interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "stats/percentile.h"

namespace ringwise::stats {
namespace {

/// Largest k with 1 - 2 P(Binomial(n, 1/2) < k) >= confidence; 0 when there is none.
std::size_t order_statistic(std::size_t n, double confidence) {
  const double tail = (1 - confidence) / 2;
  double log_probability = -static_cast<double>(n) * std::numbers::ln2;
  double below = 0;
  std::size_t k = 0;
  while (k < n / 2) {
    below += std::exp(log_probability);
    if (below > tail) break;
    log_probability += std::log(static_cast<double>(n - k)) - std::log(static_cast<double>(k + 1));
    ++k;
  }
  return k;
}

/// Empty when a value is not finite or a divisor is not above 0.
std::vector<double> ratios(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) throw Error(ErrorKind::kInternal, "paired samples differ in number");
  std::vector<double> out;
  out.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i]) || !(b[i] > 0)) return {};
    out.push_back(a[i] / b[i]);
  }
  return out;
}

}  // namespace

std::optional<Interval> median_interval(std::span<const double> values, double confidence) {
  if (values.size() < kMinSamples) return std::nullopt;
  const std::size_t k = order_statistic(values.size(), confidence);
  if (k == 0) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return Interval{sorted[k - 1], sorted[sorted.size() - k]};
}

std::optional<double> median_ratio(std::span<const double> a, std::span<const double> b) {
  const auto values = ratios(a, b);
  if (values.empty()) return std::nullopt;
  return median(values);
}

std::optional<Interval> ratio_interval(std::span<const double> a, std::span<const double> b,
                                       double confidence) {
  return median_interval(ratios(a, b), confidence);
}

}  // namespace ringwise::stats
