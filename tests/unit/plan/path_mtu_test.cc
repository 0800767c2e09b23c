// The search for the largest packet that arrives, against paths of known size.
#include "plan/path_mtu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace ringwise::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Walk {
  int rounds = 0;
  int sizes = 0;
};

/// Plays the search against a path that carries what `carries` says.
Walk play(PathMtuSearch& search, const std::function<bool(int)>& carries) {
  Walk walk;
  for (auto sizes = search.next(); !sizes.empty(); sizes = search.next()) {
    EXPECT_LE(sizes.size(), kSizesAtOnce + 1);
    EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
    for (const int size : sizes) {
      if (carries(size)) {
        search.arrived(size);
      } else {
        search.lost(size);
      }
    }
    walk.sizes += static_cast<int>(sizes.size());
    if (++walk.rounds > 20) {
      ADD_FAILURE() << "the search does not end";
      break;
    }
  }
  return walk;
}

TEST(PathMtuSearch, AHealthyPathCostsOnePacket) {
  PathMtuSearch search({.floor = 576, .route = 1500, .device = 1500});
  EXPECT_THAT(search.next(), ElementsAre(1500));
  const auto walk = play(search, [](int) { return true; });
  EXPECT_EQ(walk.sizes, 1);
  EXPECT_EQ(search.largest(), 1500);
}

TEST(PathMtuSearch, ALowerRouteCostsTwoWhetherTheDeviceSizeArrivesOrNot) {
  for (const int path : {1500, 1450}) {
    PathMtuSearch search({.floor = 576, .route = 1450, .device = 1500});
    EXPECT_THAT(search.next(), ElementsAre(1450, 1500));
    EXPECT_TRUE(search.is_above_route(1500));
    EXPECT_FALSE(search.is_above_route(1450));
    const auto walk = play(search, [&](int size) { return size <= path; });
    EXPECT_EQ(walk.rounds, 1);
    EXPECT_EQ(search.largest(), path);
  }
}

TEST(PathMtuSearch, FindsEveryBlackHoleToTheByte) {
  for (const int route : {1500, 9000}) {
    for (int path = 576; path < route; path += path < 1500 ? 1 : 37) {
      PathMtuSearch search({.floor = 576, .route = route, .device = route});
      const auto walk = play(search, [&](int size) { return size <= path; });
      ASSERT_EQ(search.largest(), path);
      ASSERT_EQ(search.smallest_lost(), path + 1);
      ASSERT_LE(walk.rounds, route == 1500 ? 5 : 6) << path;
    }
  }
}

TEST(PathMtuSearch, GivesUpWhenNotEvenTheFloorArrives) {
  PathMtuSearch search({.floor = 1280, .route = 1500, .device = 9000});
  const auto walk = play(search, [](int) { return false; });
  EXPECT_EQ(walk.rounds, 2);
  EXPECT_FALSE(search.largest());
}

TEST(PathMtuSearch, WhatComesLateCounts) {
  PathMtuSearch search({.floor = 576, .route = 1500, .device = 1500});
  search.lost(1500);
  EXPECT_FALSE(search.next().empty());
  search.arrived(1500);
  EXPECT_THAT(search.next(), IsEmpty());
  EXPECT_EQ(search.largest(), 1500);
  EXPECT_FALSE(search.smallest_lost());
}

TEST(PathMtuSearch, ALargerOneThatCameDecidesTheSmaller) {
  PathMtuSearch search({.floor = 576, .route = 1500, .device = 1500});
  search.lost(1500);
  search.arrived(1300);
  search.lost(1200);
  EXPECT_TRUE(search.is_decided(1000));
  EXPECT_EQ(search.largest(), 1300);
  EXPECT_EQ(search.smallest_lost(), 1500);
  for (const int size : search.next()) {
    EXPECT_GT(size, 1300);
    EXPECT_LT(size, 1500);
  }
}

TEST(PathMtuSearch, LimitsOfNoUseAreBroughtIntoOrder) {
  PathMtuSearch search({.floor = 1280, .route = 1400, .device = 1000});
  EXPECT_THAT(search.next(), ElementsAre(1000));
  play(search, [](int size) { return size <= 900; });
  EXPECT_FALSE(search.largest()) << "nothing below the floor of 1000 is tried";
  PathMtuSearch none({});
  play(none, [](int) { return false; });
  EXPECT_FALSE(none.largest());
}

}  // namespace
}  // namespace ringwise::plan
