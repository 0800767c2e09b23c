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

/// Samples on a side of a two-sample interval: more are thinned out, which only widens it.
constexpr std::size_t kMostUnpaired = 64;

/// P(U = u) for u = 0, 1, ... of Mann and Whitney's U for m and n samples without difference. The
/// count of arrangements with U = u: f(m, n, u) = f(m - 1, n, u - n) + f(m, n - 1, u).
std::vector<double> mann_whitney(std::size_t m, std::size_t n) {
  // The coefficients of the Gaussian binomial: multiply by 1 - q^(n + i), divide by 1 - q^i.
  std::vector<double> counts(m * n + 1, 0.0);
  counts[0] = 1;
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t u = counts.size(); u-- > n + i;) counts[u] -= counts[u - n - i];
    for (std::size_t u = i; u < counts.size(); ++u) counts[u] += counts[u - i];
  }
  double all = 0;
  for (const double count : counts) all += count;
  for (double& count : counts) count /= all;
  return counts;
}

std::vector<double> thinned(std::span<const double> values) {
  std::vector<double> out;
  const std::size_t step = (values.size() + kMostUnpaired - 1) / kMostUnpaired;
  for (std::size_t i = 0; i < values.size(); i += step) out.push_back(values[i]);
  return out;
}

bool are_positive(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value) && value > 0; });
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

std::optional<Interval> unpaired_ratio_interval(std::span<const double> a,
                                                std::span<const double> b, double confidence) {
  if (std::min(a.size(), b.size()) < kMinSamples) return std::nullopt;
  if (!are_positive(a) || !are_positive(b)) return std::nullopt;
  const auto left = thinned(a);
  const auto right = thinned(b);
  const auto probabilities = mann_whitney(left.size(), right.size());
  // The largest k with P(U < k) at most half of what may be missed.
  double below = 0;
  std::size_t k = 0;
  while (k < probabilities.size() && below + probabilities[k] <= (1 - confidence) / 2) {
    below += probabilities[k++];
  }
  if (k == 0) return std::nullopt;
  std::vector<double> all;
  all.reserve(left.size() * right.size());
  for (const double one : left) {
    for (const double other : right) all.push_back(one / other);
  }
  std::sort(all.begin(), all.end());
  return Interval{all[k - 1], all[all.size() - k]};
}

}  // namespace ringwise::stats
