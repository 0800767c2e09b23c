// Which rank names the place where data was changed.
#include "probe/wrong_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace ringwise::probe {
namespace {

using testing::HasSubstr;

/// Of these owners' data, which went round the ring or over arms.
WrongData wrong(std::set<WrongPiece> pieces) {
  return {.elements = 5, .pieces = std::move(pieces), .first_size = "4 MiB", .interface = "eth0"};
}

WrongPiece ring_piece(int owner, int sender) {
  return {.owner = owner, .sender = sender, .is_on_arms = false};
}

WrongPiece arm_piece(int owner, int sender) {
  return {.owner = owner, .sender = sender, .is_on_arms = true};
}

std::vector<std::string> words(const std::vector<WrongData>& all) {
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (const auto& data : all) texts.push_back(to_words(data));
  return texts;
}

TEST(WrongData, IsNamedByTheFirstRankBehindThePlace) {
  // Changed between 1 and 2: rank 0's and 1's data are wrong on 2 and 3 and not on 0 and 1.
  const std::vector found{WrongData{}, WrongData{}, wrong({ring_piece(0, 1), ring_piece(1, 1)}),
                          wrong({ring_piece(0, 2)})};
  const auto all = words(found);
  EXPECT_FALSE(place_of_wrong(found[0], all, true));
  const auto failure = place_of_wrong(found[2], all, true);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->place.peer, 1);
  EXPECT_EQ(failure->place.interface, "eth0");
  EXPECT_THAT(failure->text, HasSubstr("5 wrong elements, first at 4 MiB: changed on rank 1"));
  EXPECT_FALSE(place_of_wrong(found[3], all, true));
}

TEST(WrongData, IsFollowedRoundTheEndOfTheRing) {
  const std::vector found{wrong({ring_piece(3, 3)}), wrong({ring_piece(3, 0)}), WrongData{},
                          WrongData{}};
  EXPECT_EQ(place_of_wrong(found[0], words(found), true)->place.peer, 3);
}

// Over arms data comes from either side.
TEST(WrongData, IsFollowedAlongTheArms) {
  // Rank 1 of three sends its own data wrong, straight to the middle.
  const std::vector sent{wrong({arm_piece(1, 1)}), wrong({}), wrong({})};
  EXPECT_EQ(place_of_wrong(sent[0], words(sent), true)->place.peer, 1);
  EXPECT_FALSE(place_of_wrong(sent[2], words(sent), true));
  // On the way from the middle to rank 2, which has it from there and not from rank 1.
  const std::vector cut{WrongData{}, WrongData{}, wrong({arm_piece(0, 0)})};
  EXPECT_EQ(place_of_wrong(cut[2], words(cut), true)->place.peer, 0);
  // Where larger sizes went round the ring, these tell.
  const std::vector both{wrong({arm_piece(1, 1), ring_piece(1, 2)}), WrongData{},
                         wrong({ring_piece(1, 1)})};
  EXPECT_FALSE(place_of_wrong(both[0], words(both), true));
  EXPECT_EQ(place_of_wrong(both[2], words(both), true)->place.peer, 1);
}

TEST(WrongData, OfSumsAloneHasNoPlaceOnThePath) {
  const std::vector found{WrongData{}, wrong({}), WrongData{}, WrongData{}};
  const auto failure = place_of_wrong(found[1], words(found), true);
  ASSERT_TRUE(failure);
  EXPECT_FALSE(failure->place.peer);
  EXPECT_THAT(failure->text, HasSubstr("in memory, or in the addition"));
  // Where another rank knows whose data it is, it has the word.
  const std::vector known{WrongData{}, wrong({}), wrong({ring_piece(1, 1)}), WrongData{}};
  EXPECT_FALSE(place_of_wrong(known[1], words(known), true));
}

TEST(WrongData, InAPartOfTheRunIsToldByEveryone) {
  const std::vector found{WrongData{}, wrong({ring_piece(0, 0)}), wrong({ring_piece(0, 1)}),
                          WrongData{}};
  const auto failure = place_of_wrong(found[2], words(found), false);
  ASSERT_TRUE(failure);
  EXPECT_FALSE(failure->place.peer);
}

}  // namespace
}  // namespace ringwise::probe
