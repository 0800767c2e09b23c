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
  // Whatever compares names afterwards, pairs and tables of hosts, tells them apart.
  EXPECT_THAT(world.hosts, ElementsAre("a", "a#2"));
  EXPECT_EQ(world.introductions.at(1).host.host, "a#2");
  EXPECT_EQ(world.introductions.at(1).rank.host, "a#2");
}

Introduction with_address(Introduction introduction, std::vector<std::string> families) {
  model::Interface net1;
  net1.name = "net1";
  for (const auto& family : families) {
    net1.addresses.push_back({.family = family, .address = "x", .scope = "global"});
  }
  introduction.host.interfaces = {net1};
  introduction.rank.interfaces = {"net1"};
  introduction.families = {families.front()};
  return introduction;
}

TEST(JudgeWorld, SaysOnceHowNcclReadsASettingOfTheEnvironment) {
  auto a = on("a", "1", 0);
  auto b = on("b", "2", 1);
  a.notes = b.notes = {"NCCL_SOCKET_NTHREADS=abc is no number, and NCCL reads it as 0"};
  EXPECT_THAT(judge_world(expecting(2, 2), {a, b}).warnings,
              ElementsAre("rank 0 on a: " + a.notes[0]));
}

TEST(JudgeWorld, AHostWithoutTheFamilyOfTheOthersIsNamed) {
  const auto b = with_address(on("b", "2", 1), {"inet6"});
  const auto c = with_address(on("c", "3", 2), {"inet", "inet6"});
  const auto world = judge_world(expecting(3, 3), {with_address(on("a", "1", 0), {"inet"}), b, c});
  EXPECT_EQ(world.exit_code, 2);
  EXPECT_EQ(world.error, "net1 of b has no IPv4 address, the others have one");
  const auto all = with_address(on("a", "1", 0), {"inet", "inet6"});
  EXPECT_EQ(judge_world(expecting(3, 3), {all, b, c}).error,
            "net1 of b has no IPv4 address, the others have one; all have IPv6: "
            "NCCL_SOCKET_FAMILY=AF_INET6 uses that on all");
}

}  // namespace
}  // namespace ringwise::app
