#include "probe/ring_plan.h"

#include <gtest/gtest.h>

#include <vector>

namespace ringwise::probe {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

double seconds(const std::vector<RingLoad>& loads, const std::vector<RingIterations>& plan) {
  double sum = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    sum += loads[i].op_s * (plan[i].settle + plan[i].timed);
  }
  return sum;
}

TEST(SettleOperations, MoveMoreThanALimiterSaves) {
  EXPECT_EQ(settle_operations({0.01, kMiB}), 2);
  EXPECT_EQ(settle_operations({0.1, 8 * kMiB}), 1);
}

TEST(SettleOperations, AreBoundedInTime) {
  EXPECT_EQ(settle_operations({1e-3, 8}), 30);
  EXPECT_EQ(settle_operations({1e-6, 8}), 1000);
}

TEST(PlanIterations, FillTheTimeThatIsLeft) {
  const std::vector<RingLoad> loads = {{1e-3, kMiB}, {4e-3, 4 * kMiB}, {64e-3, 64 * kMiB}};
  const auto plan = plan_iterations(loads, 6, 6.0);
  EXPECT_NEAR(6 * seconds(loads, plan), 6.0, 0.5);
}

TEST(PlanIterations, NeverGoBelowTheFewest) {
  const auto plan = plan_iterations(std::vector<RingLoad>{{1.0, 8 * kMiB}}, 6, 0.0);
  EXPECT_EQ(plan[0].timed, kMinTimed);
  EXPECT_EQ(plan_iterations(std::vector<RingLoad>{{1.0, 8 * kMiB}}, 6, -5.0)[0].timed, kMinTimed);
}

TEST(PlanIterations, NeverGoAboveTheMost) {
  const auto plan = plan_iterations(std::vector<RingLoad>{{1e-9, 8}}, 1, 1e6);
  EXPECT_EQ(plan[0].timed, kMaxTimed);
}

TEST(RaiseToSmaller, NoOperationIsQuickerThanASmallerOneOfItsSeries) {
  std::vector<RingLoad> loads = {
      {4e-3, 8, 0}, {36e-6, 1024, 0}, {0, 4096, 0}, {6e-3, kMiB, 0}, {1e-5, 1024, 1}};
  raise_to_smaller(loads);
  EXPECT_EQ(loads[0].op_s, 4e-3);
  EXPECT_EQ(loads[1].op_s, 4e-3);
  EXPECT_EQ(loads[2].op_s, 0);
  EXPECT_EQ(loads[3].op_s, 6e-3);
  EXPECT_EQ(loads[4].op_s, 1e-5);
  EXPECT_EQ(settle_operations(loads[1]), 8);
  // What empties a rate limiter is not cut short by the time of a smaller one.
  std::vector<RingLoad> larger = {{4e-3, 8, 0}, {1e-4, kMiB / 16, 0}};
  raise_to_smaller(larger);
  EXPECT_EQ(settle_operations(larger[1]), 32);
}

TEST(PlanIterations, GiveNothingToWhatIsNotMeasured) {
  const std::vector<RingLoad> one = {{1e-3, kMiB}};
  const std::vector<RingLoad> two = {{1e-3, kMiB}, {0, 0}};
  EXPECT_EQ(plan_iterations(one, 6, 6.0)[0].timed, plan_iterations(two, 6, 6.0)[0].timed);
}

}  // namespace
}  // namespace ringwise::probe
