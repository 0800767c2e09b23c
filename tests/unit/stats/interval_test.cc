// Distribution-free intervals: exact ranks, and how often they cover the true median.
#include "stats/interval.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace ringwise::stats {
namespace {

using Values = std::vector<double>;

Values counted(int n) {
  Values values;
  for (int i = n; i >= 1; --i) values.push_back(i);
  return values;
}

TEST(MedianInterval, IsAbsentBelowSixSamples) {
  EXPECT_FALSE(median_interval(counted(5)));
  EXPECT_FALSE(median_interval(Values{}));
}

TEST(MedianInterval, OfSixIsSmallestToLargest) {
  const auto interval = median_interval(counted(6));
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 1);
  EXPECT_EQ(interval->high, 6);
}

// Ranks from published tables of the sign test's 95 % interval for the median.
TEST(MedianInterval, TakesTheRanksOfTheSignTest) {
  const std::vector<std::pair<int, int>> table{{8, 1}, {9, 2}, {12, 3}, {15, 4}, {20, 6}, {40, 14}};
  for (const auto& [n, k] : table) {
    const auto interval = median_interval(counted(n));
    ASSERT_TRUE(interval) << n;
    EXPECT_EQ(interval->low, k) << n;
    EXPECT_EQ(interval->high, n + 1 - k) << n;
  }
}

TEST(MedianInterval, IsAbsentWhereTheConfidenceCannotBeReached) {
  EXPECT_FALSE(median_interval(counted(6), 0.99));
  EXPECT_TRUE(median_interval(counted(8), 0.99));
}

TEST(MedianInterval, HoldsForThousandsOfSamples) {
  const auto interval = median_interval(counted(10001));
  ASSERT_TRUE(interval);
  // Normal approximation: 5001 -+ 1.96 x sqrt(10001) / 2.
  EXPECT_NEAR(interval->low, 5001 - 98, 2);
  EXPECT_NEAR(interval->high, 5001 + 98, 2);
}

double coverage(std::size_t samples, double true_median,
                const std::function<double(std::mt19937_64&)>& draw) {
  std::mt19937_64 random(42);
  const int runs = 4000;
  int covered = 0;
  for (int run = 0; run < runs; ++run) {
    Values values(samples);
    for (auto& value : values) value = draw(random);
    const auto interval = median_interval(values);
    if (interval && interval->low <= true_median && true_median <= interval->high) ++covered;
  }
  return static_cast<double>(covered) / runs;
}

TEST(MedianInterval, CoversTheMedianAsOftenAsItSays) {
  std::normal_distribution<double> normal(10, 3);
  std::exponential_distribution<double> skewed(1);
  for (const std::size_t n : {std::size_t{6}, std::size_t{9}, std::size_t{15}, std::size_t{30}}) {
    EXPECT_GE(coverage(n, 10, [&](auto& random) { return normal(random); }), 0.94) << n;
    EXPECT_GE(coverage(n, std::log(2), [&](auto& random) { return skewed(random); }), 0.94) << n;
  }
  // Two values are not enough to tell more: at 6 the coverage is 96.9 %, not 100 %.
  EXPECT_NEAR(coverage(6, 10, [&](auto& random) { return normal(random); }), 0.969, 0.01);
}

TEST(RatioInterval, PairsByBlock) {
  const Values a{2, 4, 6, 8, 10, 12};
  const Values b{1, 2, 3, 4, 5, 6};
  const auto interval = ratio_interval(a, b);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 2);
  EXPECT_EQ(interval->high, 2);
  EXPECT_EQ(median_ratio(a, b), 2);
}

TEST(RatioInterval, IsNotWidenedByWhatBothSidesShare) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> load(1, 3);
  std::uniform_real_distribution<double> noise(0.99, 1.01);
  Values a;
  Values b;
  for (int block = 0; block < 12; ++block) {
    const double shared = load(random);
    a.push_back(1.2 * shared * noise(random));
    b.push_back(shared * noise(random));
  }
  const auto interval = ratio_interval(a, b);
  ASSERT_TRUE(interval);
  EXPECT_GT(interval->low, 1.17);
  EXPECT_LT(interval->high, 1.23);
}

TEST(RatioInterval, IsAbsentBelowSixPairsButTheMedianIsNot) {
  EXPECT_FALSE(ratio_interval(counted(5), counted(5)));
  EXPECT_EQ(median_ratio(counted(5), counted(5)), 1);
}

TEST(RatioInterval, IsAbsentWhenADivisorIsNotPositive) {
  Values b = counted(8);
  b[3] = 0;
  EXPECT_FALSE(ratio_interval(counted(8), b));
  EXPECT_FALSE(median_ratio(counted(8), b));
}

TEST(RatioInterval, RefusesUnequalNumbers) {
  EXPECT_THROW((void)ratio_interval(counted(6), counted(7)), Error);
}

/// 1, 1 + step, ...: all ratios of two such lists differ.
Values spread(int n, double first, double step) {
  Values values;
  for (int i = 0; i < n; ++i) values.push_back(first + step * i * (1 + 0.01 * i));
  return values;
}

// Critical values of Mann and Whitney's U, two-tailed 0.05, from published tables: the interval
// leaves out so many of the ratios at each end.
TEST(UnpairedRatioInterval, TakesTheRanksOfMannAndWhitney) {
  struct Row {
    int m, n, critical;
  };
  for (const auto& row : {Row{6, 6, 5}, Row{6, 8, 8}, Row{8, 8, 13}, Row{10, 10, 23},
                          Row{12, 9, 26}, Row{20, 20, 127}}) {
    const auto a = spread(row.m, 1.1, 0.0137);
    const auto b = spread(row.n, 1.0, 0.0171);
    Values ratios;
    for (const double x : a) {
      for (const double y : b) ratios.push_back(x / y);
    }
    std::sort(ratios.begin(), ratios.end());
    const auto interval = unpaired_ratio_interval(a, b);
    ASSERT_TRUE(interval) << row.m << " " << row.n;
    EXPECT_DOUBLE_EQ(interval->low, ratios[static_cast<std::size_t>(row.critical)]);
    EXPECT_DOUBLE_EQ(interval->high,
                     ratios[ratios.size() - 1 - static_cast<std::size_t>(row.critical)]);
  }
}

TEST(UnpairedRatioInterval, CoversTheTrueFactor) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> noise(0, 0.05);
  int covered = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    Values a;
    Values b;
    for (int i = 0; i < 7; ++i) a.push_back(1.03 * noise(random));
    for (int i = 0; i < 9; ++i) b.push_back(noise(random));
    const auto interval = unpaired_ratio_interval(a, b);
    ASSERT_TRUE(interval);
    if (interval->low <= 1.03 && 1.03 <= interval->high) ++covered;
  }
  EXPECT_GE(covered, kTrials * 94 / 100);
  EXPECT_LE(covered, kTrials * 98 / 100);
}

TEST(UnpairedRatioInterval, IsAbsentWhereItCannotBeGiven) {
  EXPECT_FALSE(unpaired_ratio_interval(counted(5), counted(9)));
  EXPECT_FALSE(unpaired_ratio_interval(counted(9), counted(5)));
  EXPECT_FALSE(unpaired_ratio_interval(counted(6), counted(6), 0.999));
  EXPECT_FALSE(unpaired_ratio_interval(Values{1, 2, 3, 4, 5, 0}, counted(6)));
  EXPECT_FALSE(unpaired_ratio_interval(Values{1, 2, 3, 4, 5, NAN}, counted(6)));
}

TEST(UnpairedRatioInterval, TakesManySamples) {
  const auto interval = unpaired_ratio_interval(counted(5000), counted(5000));
  ASSERT_TRUE(interval);
  EXPECT_LT(interval->low, 1);
  EXPECT_GT(interval->high, 1);
}

}  // namespace
}  // namespace ringwise::stats
