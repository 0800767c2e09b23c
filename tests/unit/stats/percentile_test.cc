// Medians, percentiles and deviations against values worked out by hand.
#include "stats/percentile.h"

#include <algorithm>
#include <random>
#include <utility>
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

TEST(PercentileOfBlocks, WeighsBlocksAlike) {
  // Pooled, the four slow samples would be 2 % of all: the 90th percentile would be 1.
  const std::vector<Values> blocks{Values(200, 1.0), {9, 9}, {8, 9}};
  EXPECT_EQ(percentile_of_blocks(blocks, 90), 9);
  EXPECT_EQ(percentile_of_blocks(blocks, 50), 8);
  EXPECT_EQ(percentile_of_blocks(blocks, 33), 1);
  EXPECT_EQ(percentile_of_blocks(blocks, 100), 9);
  EXPECT_EQ(percentile_of_blocks(blocks, 0), 1);
}

TEST(PercentileOfBlocks, IsNeverBelowTheMedianOfTheBlockMedians) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Values> blocks;
    Values medians;
    for (int block = 0; block < 6; ++block) {
      Values values(1 + random() % (block < 3 ? 3 : 300));
      for (double& value : values)
        value = (block < 3 ? 10.0 : 1.0) + static_cast<double>(random() % 100) / 100;
      medians.push_back(median(values));
      blocks.push_back(std::move(values));
    }
    EXPECT_GE(percentile_of_blocks(blocks, 99), median(medians));
  }
}

TEST(PercentileOfBlocks, RefusesNoBlockAndAnEmptyOne) {
  EXPECT_THROW((void)percentile_of_blocks(std::vector<Values>{}, 50), Error);
  EXPECT_THROW((void)percentile_of_blocks(std::vector<Values>{{1}, {}}, 50), Error);
  EXPECT_THROW((void)percentile_of_blocks(std::vector<Values>{{1}}, 101), Error);
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
