#include "stats/fit.h"

#include <algorithm>
#include <cmath>

namespace ringwise::stats {
namespace {

/// Sums over the points with weight 1 / time^2.
struct Sums {
  double weight = 0;
  double bytes = 0;
  double bytes_squared = 0;
  double time = 0;
  double bytes_time = 0;
};

Sums weighted_sums(std::span<const TransferPoint> points) {
  Sums sums;
  for (const auto& point : points) {
    const double weight = 1 / (point.time_us * point.time_us);
    sums.weight += weight;
    sums.bytes += weight * point.bytes;
    sums.bytes_squared += weight * point.bytes * point.bytes;
    sums.time += weight * point.time_us;
    sums.bytes_time += weight * point.bytes * point.time_us;
  }
  return sums;
}

bool is_usable(std::span<const TransferPoint> points) {
  bool has_two_sizes = false;
  for (const auto& point : points) {
    if (!(point.time_us > 0) || !std::isfinite(point.time_us)) return false;
    if (!(point.bytes >= 0) || !std::isfinite(point.bytes)) return false;
    has_two_sizes = has_two_sizes || point.bytes != points.front().bytes;
  }
  return has_two_sizes;
}

}  // namespace

std::optional<LatencyBandwidth> fit_latency_bandwidth(std::span<const TransferPoint> points) {
  if (!is_usable(points)) return std::nullopt;
  const Sums sums = weighted_sums(points);
  const double spread = sums.weight * sums.bytes_squared - sums.bytes * sums.bytes;
  if (!(spread > 0)) return std::nullopt;
  double us_per_byte = (sums.weight * sums.bytes_time - sums.bytes * sums.time) / spread;
  double latency_us = (sums.time - us_per_byte * sums.bytes) / sums.weight;
  if (latency_us < 0) {
    latency_us = 0;
    us_per_byte = sums.bytes_time / sums.bytes_squared;
  }
  if (!(us_per_byte > 0)) return std::nullopt;
  LatencyBandwidth fit{.latency_us = latency_us, .gbyte_per_s = 1e-3 / us_per_byte};
  for (const auto& point : points) {
    const double error = std::abs(fit.time_us(point.bytes) - point.time_us) / point.time_us;
    fit.worst_relative_error = std::max(fit.worst_relative_error, error);
  }
  return fit;
}

}  // namespace ringwise::stats
