// Random orders: the same everywhere, every order about as likely.
#include "plan/blocks.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::plan {
namespace {

TEST(BlockOrder, HasEveryConfigurationOnce) {
  auto order = block_order(20, 3, 7);
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> all(20);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(order, all);
  EXPECT_TRUE(block_order(0, 0, 0).empty());
}

TEST(BlockOrder, DependsOnSeedAndBlockOnly) {
  EXPECT_EQ(block_order(20, 3, 7), block_order(20, 3, 7));
  EXPECT_NE(block_order(20, 3, 7), block_order(20, 4, 7));
  EXPECT_NE(block_order(20, 3, 7), block_order(20, 3, 8));
}

// Written down so that a change of the generator, which would let ranks of two builds disagree,
// does not pass unseen.
TEST(BlockOrder, IsTheSameOnEveryPlatform) {
  EXPECT_THAT(block_order(6, 0, 1), ::testing::ElementsAre(4, 3, 5, 2, 0, 1));
}

TEST(BlockOrder, AllOrdersAreAboutAsLikely) {
  std::map<std::vector<std::size_t>, int> counts;
  for (int block = 0; block < 6000; ++block) ++counts[block_order(3, block, 42)];
  EXPECT_EQ(counts.size(), 6U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(DrawBelow, IsUniform) {
  std::mt19937_64 random(9);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts.at(draw_below(random, counts.size()));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
  EXPECT_EQ(draw_below(random, 1), 0U);
}

}  // namespace
}  // namespace ringwise::plan
