// Which variables a trial of the ring can judge.
#include "plan/ring_variables.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace ringwise::plan {
namespace {

TEST(RingVariables, AreSortedAndFound) {
  const auto names = ring_variables();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const auto name : names) EXPECT_TRUE(is_ring_variable(name)) << name;
}

TEST(RingVariables, LackWhatOnlyNcclActsOn) {
  for (const auto* name : {"NCCL_ALGO", "NCCL_BUFFSIZE", "NCCL_IB_DISABLE", "NCCL_SOCKET_INLINE",
                           "NCCL_SOCKET_MIN_TASKSIZE", "RINGWISE_POD_IP", ""}) {
    EXPECT_FALSE(is_ring_variable(name)) << name;
  }
}

}  // namespace
}  // namespace ringwise::plan
