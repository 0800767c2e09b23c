#include "transport/tcp/split.h"

#include <gtest/gtest.h>

#include "transport/transport.h"

namespace ringwise::transport::tcp {
namespace {

TEST(SplitMessage, LeavesAllToTheControlSocketWithoutDataSockets) {
  const Split split = split_message(100000, 0);
  EXPECT_EQ(split.control, 100000U);
  EXPECT_EQ(split.tasks, 0U);
}

TEST(SplitMessage, SendsUpTo128BytesInline) {
  EXPECT_EQ(split_message(128, 4).tasks, 0U);
  EXPECT_EQ(split_message(129, 4).tasks, 1U);
  EXPECT_EQ(split_message(129, 4).control, 128U);
}

TEST(SplitMessage, GivesASocketAtLeast64KiB) {
  const Split split = split_message(128 + 65536 + 1, 16);
  EXPECT_EQ(split.tasks, 2U);
  EXPECT_EQ(split.task_bytes, 65536U);
  EXPECT_EQ(split.begin(1), 128U + 65536U);
}

TEST(SplitMessage, SharesALongMessageEvenly) {
  const Split split = split_message(kMaxStepBytes, 4);
  EXPECT_EQ(split.tasks, 4U);
  EXPECT_EQ(split.task_bytes, (kMaxStepBytes - 128 + 3) / 4);
}

TEST(SplitMessage, NeverMakesMoreTasksThanAMessageHolds) {
  for (std::size_t sockets = 1; sockets <= 64; ++sockets) {
    EXPECT_LE(split_message(kMaxStepBytes, sockets).tasks, kMaxTasksPerMessage);
  }
}

}  // namespace
}  // namespace ringwise::transport::tcp
