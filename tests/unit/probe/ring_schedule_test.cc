#include "probe/ring_schedule.h"

#include <gtest/gtest.h>

#include <vector>

namespace ringwise::probe {
namespace {

struct Case {
  int ranks;
  int channels;
  std::size_t elements;
  std::size_t chunk_bytes;
};

class Schedules : public testing::TestWithParam<Case> {
 protected:
  RingSchedule of(int rank, int channel) {
    RingSchedule::Place place;
    place.rank = rank;
    place.ranks = GetParam().ranks;
    place.channel = channel;
    place.channels = GetParam().channels;
    place.chunk_bytes = GetParam().chunk_bytes;
    return {place, {source_, result_, scratch_}};
  }
  std::vector<float> source_ = std::vector<float>(GetParam().elements);
  std::vector<float> result_ = std::vector<float>(GetParam().elements);
  std::vector<float> scratch_ = std::vector<float>(kGatherElements);
};

TEST_P(Schedules, WhatOneRankSendsTheNextReceives) {
  const int ranks = GetParam().ranks;
  for (int channel = 0; channel < GetParam().channels; ++channel) {
    for (int rank = 0; rank < ranks; ++rank) {
      const auto mine = of(rank, channel);
      const auto next = of((rank + 1) % ranks, channel);
      ASSERT_EQ(mine.steps(), next.steps());
      for (std::size_t i = 0; i < mine.steps(); ++i) {
        EXPECT_EQ(mine.step(i).send_bytes, next.step(i).receive_bytes);
        EXPECT_LE(mine.step(i).send_bytes, GetParam().chunk_bytes);
        if (mine.step(i).follows) {
          EXPECT_EQ(mine.step(i).send_bytes, mine.step(i - 1).receive_bytes);
        }
      }
    }
  }
}

TEST_P(Schedules, SendsTheLeastPossible) {
  std::size_t sent = 0;
  const auto ranks = static_cast<std::size_t>(GetParam().ranks);
  for (int rank = 0; rank < GetParam().ranks; ++rank) {
    for (int channel = 0; channel < GetParam().channels; ++channel) {
      sent += of(rank, channel).sent_bytes();
    }
  }
  const bool gathers = is_gathered(GetParam().elements, GetParam().ranks);
  EXPECT_EQ(sent, GetParam().elements * sizeof(float) * (ranks - 1) * (gathers ? ranks : 2));
}

TEST_P(Schedules, ThePiecesCoverTheBufferOnce) {
  std::vector<int> covered(GetParam().elements);
  for (int channel = 0; channel < GetParam().channels; ++channel) {
    const auto schedule = of(0, channel);
    if (schedule.steps() == 0) continue;
    for (const auto& piece : schedule.wire_pieces()) {
      for (std::size_t i = 0; i < piece.elements; ++i) ++covered[piece.at + i];
    }
  }
  EXPECT_EQ(covered, std::vector<int>(GetParam().elements, 1));
}

INSTANTIATE_TEST_SUITE_P(Cases, Schedules,
                         testing::Values(Case{2, 1, 1, 4096}, Case{2, 1, 20000, 4096},
                                         Case{3, 2, 9999, 4096}, Case{5, 4, 50001, 1024},
                                         Case{7, 3, 12345, 524288}, Case{3, 8, 11000, 64}));

}  // namespace
}  // namespace ringwise::probe
