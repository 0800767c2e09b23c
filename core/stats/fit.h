// The latency-bandwidth (alpha-beta) model of a transfer: time = latency + bytes / bandwidth.
#pragma once

#include <optional>
#include <span>

namespace ringwise::stats {

struct TransferPoint {
  double bytes = 0;
  double time_us = 0;
};

struct LatencyBandwidth {
  double latency_us = 0;
  double gbyte_per_s = 0;  ///< 10^9 bytes
  /// Largest |fitted - measured| / measured: how far the model is from the points.
  double worst_relative_error = 0;

  [[nodiscard]] double time_us(double bytes) const {
    return latency_us + bytes / (gbyte_per_s * 1e3);
  }
};

/// Least squares of the relative error, so that small messages count as much as large ones; a
/// latency that would be negative is set to 0 and the bandwidth is fitted alone.
/// Absent with fewer than two different sizes, with a time that is not above 0, or when time does
/// not grow with size.
[[nodiscard]] std::optional<LatencyBandwidth> fit_latency_bandwidth(
    std::span<const TransferPoint> points);

}  // namespace ringwise::stats
