// The /dev/shm estimate against the sizes that NCCL's files have.
#include "plan/shm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::plan {
namespace {

TEST(ShmEstimate, OneConnectionIsBothSegments) {
  // The sender's file of 4100 B and the receiver's of 9637892 B.
  EXPECT_EQ(shm_estimate({.ranks_on_node = 2}).connection_bytes, 4100U + 9637892U);
}

TEST(ShmEstimate, CountsRingConnectionsPerChannelAndCommunicator) {
  const ShmDemand demand{.ranks_on_node = 4, .channels = 2, .has_trees = false};
  EXPECT_EQ(shm_estimate(demand).bytes, 8U * 9641992U);
  auto across = demand;
  across.nodes = 2;
  EXPECT_EQ(shm_estimate(across).bytes, 6U * 9641992U);
  auto two = demand;
  two.communicators = 2;
  EXPECT_EQ(shm_estimate(two).bytes, 16U * 9641992U);
}

TEST(ShmEstimate, TreesAddAtMostTheSameInBothDirections) {
  const auto estimate = shm_estimate({.ranks_on_node = 4, .channels = 2});
  EXPECT_EQ(estimate.bytes, 3 * estimate.ring_bytes);
  EXPECT_THAT(estimate.derivation, ::testing::HasSubstr("trees"));
}

TEST(ShmEstimate, OneRankNeedsNothing) {
  EXPECT_EQ(shm_estimate({.ranks_on_node = 1}).bytes, 0U);
  EXPECT_EQ(shm_estimate({.ranks_on_node = 1, .nodes = 4}).bytes, 0U);
}

TEST(ShmEstimate, FollowsTheBufferSettings) {
  const auto estimate = shm_estimate({.ranks_on_node = 2, .simple_bytes = 8388608});
  EXPECT_EQ(estimate.connection_bytes, 9641992U + 4194304U);
}

}  // namespace
}  // namespace ringwise::plan
