// Which rank names the place where data was changed.
#include "probe/wrong_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace ringwise::probe {
namespace {

using testing::HasSubstr;

WrongData wrong(std::set<int> owners) {
  return {.elements = 5, .owners = std::move(owners), .first_size = "4 MiB", .interface = "eth0"};
}

/// What each rank of a ring of four finds wrong.
std::vector<std::string> words(const std::array<WrongData, 4>& all) {
  std::vector<std::string> texts;
  for (const auto& data : all) texts.push_back(to_words(data));
  return texts;
}

TEST(WrongData, IsNamedByTheFirstRankBehindThePlace) {
  // Changed between 1 and 2: rank 0's and 1's data are wrong on 2 and 3 and not on 0 and 1.
  const std::array<WrongData, 4> found{WrongData{}, WrongData{}, wrong({0, 1}), wrong({0})};
  const auto all = words(found);
  EXPECT_FALSE(place_of_wrong(found[0], all, 0, true));
  const auto failure = place_of_wrong(found[2], all, 2, true);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->place.peer, 1);
  EXPECT_EQ(failure->place.interface, "eth0");
  EXPECT_THAT(failure->text, HasSubstr("5 wrong elements, first at 4 MiB: changed on rank 1"));
  EXPECT_FALSE(place_of_wrong(found[3], all, 3, true));
}

TEST(WrongData, IsFollowedRoundTheEndOfTheRing) {
  const std::array<WrongData, 4> found{wrong({3}), wrong({3}), WrongData{}, WrongData{}};
  EXPECT_EQ(place_of_wrong(found[0], words(found), 0, true)->place.peer, 3);
}

TEST(WrongData, OfSumsAloneHasNoPlaceOnThePath) {
  const std::array<WrongData, 4> found{WrongData{}, wrong({}), WrongData{}, WrongData{}};
  const auto failure = place_of_wrong(found[1], words(found), 1, true);
  ASSERT_TRUE(failure);
  EXPECT_FALSE(failure->place.peer);
  EXPECT_THAT(failure->text, HasSubstr("in memory, or in the addition"));
  // Where another rank knows whose data it is, it has the word.
  const std::array<WrongData, 4> known{WrongData{}, wrong({}), wrong({1}), WrongData{}};
  EXPECT_FALSE(place_of_wrong(known[1], words(known), 1, true));
}

TEST(WrongData, InAPartOfTheRunIsToldByEveryone) {
  const std::array<WrongData, 4> found{WrongData{}, wrong({0}), wrong({0}), WrongData{}};
  const auto failure = place_of_wrong(found[2], words(found), 1, false);
  ASSERT_TRUE(failure);
  EXPECT_FALSE(failure->place.peer);
}

}  // namespace
}  // namespace ringwise::probe
