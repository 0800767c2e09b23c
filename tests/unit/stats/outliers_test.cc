// Which values stand out of their peers, and which do not.
#include "stats/outliers.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace ringwise::stats {
namespace {

using Values = std::vector<double>;

TEST(Outliers, FindsTheSlowOneAmongSpreadPeers) {
  const auto found = outliers(Values{9.8, 10.1, 10.0, 5.0, 10.2, 9.9});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].index, 3U);
  EXPECT_EQ(found[0].value, 5.0);
  EXPECT_LT(found[0].sigmas, -3.5);
}

TEST(Outliers, FindsOneAmongEqualPeers) {
  const auto found = outliers(Values{10, 10, 10, 10, 8});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].index, 4U);
  EXPECT_TRUE(std::isinf(found[0].sigmas));
}

TEST(Outliers, IgnoresWhatIsCloserThanTheShare) {
  EXPECT_TRUE(outliers(Values{100, 100, 100, 100, 101}).empty());
  EXPECT_EQ(outliers(Values{100, 100, 100, 100, 101}, {.min_share = 0.001}).size(), 1U);
}

TEST(Outliers, NeedsThreeValues) {
  EXPECT_TRUE(outliers(Values{1, 100}).empty());
}

TEST(Outliers, FindsNoneInEvenlySpreadValues) {
  EXPECT_TRUE(outliers(Values{1, 2, 3, 4, 5, 6, 7, 8}).empty());
}

}  // namespace
}  // namespace ringwise::stats
