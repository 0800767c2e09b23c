// Rounds of disjoint pairs: nobody twice at once, every pair once, nodes respected.
#include "plan/pair_schedule.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.h"

namespace ringwise::plan {
namespace {

/// All pairs; fails when a rank is twice in a round or a pair twice in the schedule.
std::set<Pair> checked(const Rounds& schedule) {
  std::set<Pair> all;
  for (const auto& round : schedule) {
    EXPECT_FALSE(round.empty());
    std::set<int> busy;
    for (const auto& pair : round) {
      EXPECT_TRUE(busy.insert(pair.first).second) << pair.first;
      EXPECT_TRUE(busy.insert(pair.second).second) << pair.second;
      EXPECT_TRUE(all.insert(pair).second) << pair.first << "-" << pair.second;
    }
  }
  return all;
}

TEST(Rounds, HoldEveryPairOnceForAnyNumberOfRanks) {
  for (int ranks = 2; ranks <= 64; ++ranks) {
    const auto schedule = rounds(ranks);
    EXPECT_EQ(schedule.size(), static_cast<std::size_t>(ranks % 2 == 0 ? ranks - 1 : ranks));
    const auto pairs = checked(schedule);
    EXPECT_EQ(pairs.size(), static_cast<std::size_t>(ranks * (ranks - 1) / 2));
    for (const auto& pair : pairs) EXPECT_LT(pair.first, pair.second);
  }
}

TEST(Rounds, AreNoneForFewerThanTwoRanks) {
  EXPECT_TRUE(rounds(0).empty());
  EXPECT_TRUE(rounds(1).empty());
}

TEST(Rounds, InBothOrdersTurnEveryPairRound) {
  const auto pairs = checked(rounds(5, {.both_orders = true}));
  EXPECT_EQ(pairs.size(), 20U);
  for (const auto& pair : pairs) EXPECT_TRUE(pairs.contains({pair.second, pair.first}));
}

TEST(Rounds, LeaveOutPairsOfOneNode) {
  const std::vector<std::string> nodes{"a", "a", "b", "b", "c", "c"};
  const auto pairs = checked(rounds(6, {.nodes = nodes}));
  EXPECT_EQ(pairs.size(), 12U);
  for (const auto& pair : pairs) {
    EXPECT_NE(nodes[static_cast<std::size_t>(pair.first)],
              nodes[static_cast<std::size_t>(pair.second)]);
  }
  EXPECT_EQ(checked(rounds(6, {.nodes = nodes, .only_between_nodes = false})).size(), 15U);
  EXPECT_TRUE(rounds(2, {.nodes = {"a", "a"}}).empty());
}

TEST(Rounds, CanBeOneRankOfEachNode) {
  const auto pairs = checked(rounds(5, {.nodes = {"a", "b", "a", "c", "b"}, .only_leaders = true}));
  EXPECT_EQ(pairs, (std::set<Pair>{{0, 1}, {0, 3}, {1, 3}}));
}

TEST(Rounds, OfLargeWorldsAreABoundedSample) {
  for (const int ranks : {65, 1000, 1001}) {
    const auto schedule = rounds(ranks, {.sampled_rounds = 16, .seed = 3});
    EXPECT_EQ(schedule.size(), 16U);
    std::map<int, int> degree;
    for (const auto& pair : checked(schedule)) {
      ++degree[pair.first];
      ++degree[pair.second];
    }
    EXPECT_EQ(degree.size(), static_cast<std::size_t>(ranks));
    for (const auto& [rank, count] : degree) {
      EXPECT_GE(count, ranks % 2 == 0 ? 16 : 15) << rank;
      EXPECT_LE(count, 16) << rank;
    }
  }
}

TEST(Rounds, OfLargeWorldsDependOnTheSeedOnly) {
  EXPECT_EQ(rounds(100, {.seed = 1}), rounds(100, {.seed = 1}));
  EXPECT_NE(rounds(100, {.seed = 1}), rounds(100, {.seed = 2}));
}

TEST(Rounds, RefuseNodesThatDoNotFitTheRanks) {
  EXPECT_THROW((void)rounds(3, {.nodes = {"a", "b"}}), Error);
}

}  // namespace
}  // namespace ringwise::plan
