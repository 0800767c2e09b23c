// Whether the world that the launcher made is the one that was asked for.
#include "app/probe/world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Introduction on(const std::string& host, const std::string& boot, int rank) {
  Introduction introduction;
  introduction.host.host = host;
  introduction.host.boot_id = boot;
  introduction.rank.rank = rank;
  introduction.rank.host = host;
  return introduction;
}

using Introductions = std::vector<std::optional<Introduction>>;

ProbeOptions expecting(std::optional<int> ranks, std::optional<int> nodes) {
  ProbeOptions options;
  options.expect_ranks = ranks;
  options.expect_nodes = nodes;
  return options;
}

TEST(JudgeWorld, PlacesRanksOnTheirHosts) {
  const auto world = judge_world(expecting(4, 2), Introductions{on("a", "1", 0), on("b", "2", 1),
                                                                on("a", "1", 2), on("b", "2", 3)});
  EXPECT_EQ(world.exit_code, 0) << world.error;
  EXPECT_EQ(world.nodes, 2);
  EXPECT_THAT(world.local_ranks, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(world.host_of_rank, ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(world.token.size(), 32U);
}

TEST(JudgeWorld, EveryRunHasItsOwnToken) {
  const Introductions one{on("a", "1", 0)};
  EXPECT_NE(judge_world(expecting(1, 1), one).token, judge_world(expecting(1, 1), one).token);
}

TEST(JudgeWorld, ASmallerWorldIsRefused) {
  const auto world = judge_world(expecting(4, std::nullopt), Introductions{on("a", "1", 0)});
  EXPECT_EQ(world.exit_code, 3);
  EXPECT_THAT(world.error, HasSubstr("4 ranks were asked for, but the world has 1"));
}

TEST(JudgeWorld, OneHostWhereSeveralWereAskedIsRefused) {
  const auto world = judge_world(expecting(2, 2), Introductions{on("a", "1", 0), on("a", "1", 1)});
  EXPECT_EQ(world.exit_code, 3);
  EXPECT_THAT(world.error, HasSubstr("2 nodes were asked for"));
}

TEST(JudgeWorld, ARankWithAnErrorStopsTheRunAndIsNamed) {
  auto bad = on("b", "2", 1);
  bad.error_code = 2;
  bad.error = "interface '=eth9': no match";
  const auto world = judge_world(expecting(2, 2), Introductions{on("a", "1", 0), bad});
  EXPECT_EQ(world.exit_code, 2);
  EXPECT_EQ(world.error, "rank 1 on b: interface '=eth9': no match");
}

TEST(JudgeWorld, ASilentRankIsNamed) {
  const auto world = judge_world(expecting(2, 2), Introductions{on("a", "1", 0), std::nullopt});
  EXPECT_EQ(world.exit_code, 3);
  EXPECT_THAT(world.error, HasSubstr("no word from rank 1"));
}

TEST(JudgeWorld, TwoHostsOfOneNameAreToldApartAndWarnedAbout) {
  const auto world = judge_world(expecting(2, 2), Introductions{on("a", "1", 0), on("a", "2", 1)});
  EXPECT_EQ(world.exit_code, 0) << world.error;
  EXPECT_EQ(world.nodes, 2);
  ASSERT_EQ(world.warnings.size(), 1U);
  EXPECT_THAT(world.warnings[0], HasSubstr("called a"));
}

}  // namespace
}  // namespace ringwise::app
