// The latency-bandwidth fit on exact, noisy and unusable points.
#include "stats/fit.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace ringwise::stats {
namespace {

std::vector<TransferPoint> points(double latency_us, double gbyte_per_s, double noise = 0) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> factor(1 - noise, 1 + noise);
  std::vector<TransferPoint> out;
  for (double bytes = 8; bytes <= 64 * 1048576.0; bytes *= 4) {
    out.push_back({bytes, (latency_us + bytes / (gbyte_per_s * 1e3)) * factor(random)});
  }
  return out;
}

TEST(LatencyBandwidth, RecoversBothFromExactPoints) {
  const auto fit = fit_latency_bandwidth(points(25, 1.2));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->latency_us, 25, 1e-6);
  EXPECT_NEAR(fit->gbyte_per_s, 1.2, 1e-9);
  EXPECT_LT(fit->worst_relative_error, 1e-9);
  EXPECT_NEAR(fit->time_us(1.2e6), 1025, 1e-3);
}

TEST(LatencyBandwidth, IsNotLedByTheLargestSizeAlone) {
  const auto fit = fit_latency_bandwidth(points(25, 1.2, 0.05));
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->latency_us, 25, 2);
  EXPECT_NEAR(fit->gbyte_per_s, 1.2, 0.1);
  EXPECT_LT(fit->worst_relative_error, 0.15);
}

TEST(LatencyBandwidth, HasNoNegativeLatency) {
  const std::vector<TransferPoint> superlinear{{1000, 1}, {2000, 2.5}, {4000, 6}};
  const auto fit = fit_latency_bandwidth(superlinear);
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->latency_us, 0);
  EXPECT_GT(fit->gbyte_per_s, 0);
}

TEST(LatencyBandwidth, IsAbsentWhereTheModelCannotHold) {
  EXPECT_FALSE(fit_latency_bandwidth({}));
  const std::vector<TransferPoint> one_size{{8, 10}, {8, 11}};
  EXPECT_FALSE(fit_latency_bandwidth(one_size));
  const std::vector<TransferPoint> falling{{8, 100}, {1e6, 10}};
  EXPECT_FALSE(fit_latency_bandwidth(falling));
  const std::vector<TransferPoint> no_time{{8, 0}, {1e6, 10}};
  EXPECT_FALSE(fit_latency_bandwidth(no_time));
}

}  // namespace
}  // namespace ringwise::stats
