// Medians, percentiles and deviations against values worked out by hand.
#include "stats/percentile.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace ringwise::stats {
namespace {

using Values = std::vector<double>;

TEST(Median, IsTheMiddleOfAnOddCount) {
  EXPECT_EQ(median(Values{9, 1, 5}), 5);
}

TEST(Median, IsTheMeanOfTheTwoMiddleValues) {
  EXPECT_EQ(median(Values{4, 1, 3, 2}), 2.5);
}

TEST(Median, OfOneValueIsThatValue) {
  EXPECT_EQ(median(Values{7}), 7);
}

TEST(Median, RefusesNoValues) {
  EXPECT_THROW((void)median(Values{}), Error);
}

TEST(Percentile, InterpolatesBetweenNeighbours) {
  const Values values{10, 20, 30, 40, 50};
  EXPECT_EQ(percentile(values, 0), 10);
  EXPECT_EQ(percentile(values, 100), 50);
  EXPECT_DOUBLE_EQ(percentile(values, 25), 20);
  EXPECT_DOUBLE_EQ(percentile(values, 90), 46);
}

TEST(Percentile, P99OfAHundredValuesLiesBetweenTheTwoLargest) {
  Values values;
  for (int i = 1; i <= 100; ++i) values.push_back(i);
  EXPECT_NEAR(percentile(values, 99), 99.01, 1e-9);
}

TEST(Percentile, DoesNotDependOnTheOrder) {
  Values values;
  for (int i = 0; i < 1000; ++i) values.push_back(i);
  const double expected = percentile(values, 73.5);
  std::mt19937_64 random(1);
  std::shuffle(values.begin(), values.end(), random);
  EXPECT_EQ(percentile(values, 73.5), expected);
}

TEST(Percentile, RefusesWhatIsNoPercentage) {
  EXPECT_THROW((void)percentile(Values{1}, 101), Error);
  EXPECT_THROW((void)percentile(Values{1}, -1), Error);
}

TEST(Mad, IsTheMedianDistanceFromTheMedian) {
  EXPECT_EQ(mad(Values{1, 1, 2, 2, 4, 6, 9}), 1);
}

TEST(Mad, EstimatesTheStandardDeviationOfNormalSamples) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(100, 7);
  Values values(20000);
  for (auto& value : values) value = normal(random);
  EXPECT_NEAR(kMadToSigma * mad(values), 7, 0.2);
}

}  // namespace
}  // namespace ringwise::stats
