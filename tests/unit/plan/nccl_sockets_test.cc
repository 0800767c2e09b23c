// Threads, sockets, channels and the split of a message, against NCCL's rules.
#include "plan/nccl_sockets.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::plan {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kThreads = "NCCL_SOCKET_NTHREADS";
constexpr const char* kSockets = "NCCL_NSOCKS_PERTHREAD";

TEST(SocketPlan, DependsOnTheVendor) {
  const auto ena = socket_plan("0x1d0f", {});
  EXPECT_EQ(ena.threads, 2);
  EXPECT_EQ(ena.sockets_per_thread, 8);
  EXPECT_EQ(ena.data_sockets, 16);
  EXPECT_THAT(ena.reason, HasSubstr("AWS ENA"));
  EXPECT_EQ(socket_plan("0x1ae0", {}).data_sockets, 4);
  EXPECT_EQ(socket_plan("0x15b3", {}).data_sockets, 0);
  EXPECT_EQ(socket_plan(std::nullopt, {}).data_sockets, 0);
}

TEST(SocketPlan, SocketsAloneDoNothingOnAGenericNic) {
  const auto plan = socket_plan("0x15b3", {{kSockets, "4"}});
  EXPECT_EQ(plan.data_sockets, 0);
  EXPECT_THAT(plan.notes, Contains(HasSubstr("does nothing")));
}

TEST(SocketPlan, ThreadsAloneGiveOneSocketEach) {
  EXPECT_EQ(socket_plan(std::nullopt, {{kThreads, "4"}}).data_sockets, 4);
  EXPECT_EQ(socket_plan("0x1d0f", {{kThreads, "1"}}).data_sockets, 8);
}

TEST(SocketPlan, ClampsThreadsAndSockets) {
  const auto threads = socket_plan(std::nullopt, {{kThreads, "20"}});
  EXPECT_EQ(threads.threads, 16);
  EXPECT_THAT(threads.notes, Contains(HasSubstr("at most 16 socket threads")));
  const auto sockets = socket_plan(std::nullopt, {{kThreads, "3"}, {kSockets, "100"}});
  EXPECT_EQ(sockets.sockets_per_thread, 21);
  EXPECT_EQ(sockets.data_sockets, 63);
  EXPECT_THAT(sockets.notes, Contains(HasSubstr("at most 64 data sockets")));
}

TEST(SocketPlan, ReadsNumbersAsNcclDoes) {
  const auto plan = socket_plan("0x1d0f", {{kThreads, "four"}});
  EXPECT_EQ(plan.data_sockets, 0);
  EXPECT_THAT(plan.notes, Contains(HasSubstr("NCCL_SOCKET_NTHREADS=four is no number")));
  EXPECT_EQ(socket_plan("0x1d0f", {{kThreads, ""}}).threads, 2);
  EXPECT_EQ(socket_plan("0x1d0f", {{kThreads, "-2"}}).threads, 2);
  EXPECT_THAT(socket_plan("0x1d0f", {{kThreads, "-1"}}).notes, Contains(HasSubstr("negative")));
}

TEST(SocketPlan, HasInlinePayloadSince2273) {
  EXPECT_EQ(socket_plan(std::nullopt, {}).inline_bytes, 128U);
  EXPECT_EQ(socket_plan(std::nullopt, {}, "2.27.3").inline_bytes, 128U);
  const auto older = socket_plan(
      std::nullopt, {{"NCCL_SOCKET_INLINE", "64"}, {"NCCL_SOCKET_MIN_TASKSIZE", "1"}}, "2.26.5");
  EXPECT_EQ(older.inline_bytes, 0U);
  EXPECT_EQ(older.min_task_bytes, 65536U);
}

TEST(WithThreads, ClampsASweepAsNcclWould) {
  const auto plan = with_threads(socket_plan(std::nullopt, {}), 8, 16);
  EXPECT_EQ(plan.threads, 8);
  EXPECT_EQ(plan.sockets_per_thread, 8);
  EXPECT_EQ(plan.inline_bytes, 128U);
  EXPECT_EQ(with_threads(plan, 0, 4).data_sockets, 0);
}

TEST(ChannelPlan, IsTwoForEachInterface) {
  EXPECT_EQ(channel_plan(1, {}).channels, 2);
  EXPECT_EQ(channel_plan(3, {}).channels, 6);
  EXPECT_EQ(channel_plan(0, {}).channels, 2);
}

TEST(ChannelPlan, AppliesTheMaximumBeforeTheMinimum) {
  EXPECT_EQ(channel_plan(2, {{"NCCL_MAX_NCHANNELS", "1"}}).channels, 1);
  EXPECT_EQ(channel_plan(2, {{"NCCL_MIN_NCHANNELS", "8"}}).channels, 8);
  EXPECT_EQ(channel_plan(2, {{"NCCL_MAX_NCHANNELS", "1"}, {"NCCL_MIN_NCHANNELS", "8"}}).channels,
            8);
  EXPECT_EQ(channel_plan(1, {{"NCCL_MIN_CTAS", "4"}}).channels, 4);
  EXPECT_EQ(channel_plan(1, {{"NCCL_MIN_CTAS", "0"}}).channels, 2);
  EXPECT_EQ(channel_plan(1, {{"NCCL_MAX_NCHANNELS", "zero"}}).channels, 1);
  EXPECT_EQ(channel_plan(1, {{"NCCL_MIN_NCHANNELS", "1000"}}).channels, 64);
}

TEST(ChannelPlan, PrefersTheNewNameAndSaysWhichSettingCounted) {
  const auto plan = channel_plan(1, {{"NCCL_MIN_NRINGS", "16"}, {"NCCL_MIN_NCHANNELS", "4"}});
  EXPECT_EQ(plan.channels, 4);
  EXPECT_THAT(plan.reason, HasSubstr("NCCL_MIN_NCHANNELS=4"));
  EXPECT_EQ(channel_plan(1, {{"NCCL_MIN_NRINGS", "16"}}).channels, 16);
}

SocketPlan four_sockets() {
  return with_threads(socket_plan(std::nullopt, {}), 2, 2);
}

TEST(SplitMessage, SmallOnesTravelWithTheHeader) {
  const auto split = split_message(128, four_sockets(), 3);
  EXPECT_EQ(split.control_bytes, 132U);
  EXPECT_THAT(split.tasks, IsEmpty());
  EXPECT_EQ(split.next_socket, 3);
  EXPECT_EQ(split_message(0, four_sockets()).control_bytes, 4U);
}

TEST(SplitMessage, BelowTheTaskSizeUsesOneSocket) {
  const auto split = split_message(65536 + 128, four_sockets(), 1);
  ASSERT_EQ(split.tasks.size(), 1U);
  EXPECT_EQ(split.tasks[0].socket, 1);
  EXPECT_EQ(split.tasks[0].thread, 1);
  EXPECT_EQ(split.tasks[0].offset, 128U);
  EXPECT_EQ(split.tasks[0].bytes, 65536U);
  EXPECT_EQ(split.next_socket, 2);
}

TEST(SplitMessage, LargeOnesAreSpreadEvenlyAndCoverEveryByte) {
  const std::uint64_t bytes = 524288;
  const auto split = split_message(bytes, four_sockets());
  ASSERT_EQ(split.tasks.size(), 4U);
  std::uint64_t next = 128;
  for (const auto& task : split.tasks) {
    EXPECT_EQ(task.offset, next);
    EXPECT_LE(task.bytes, 131040U);
    EXPECT_EQ(task.thread, task.socket % 2);
    next += task.bytes;
  }
  EXPECT_EQ(next, bytes);
}

TEST(SplitMessage, RoundRobinGoesOnFromMessageToMessage) {
  auto plan = four_sockets();
  const auto first = split_message(3 * 65536 + 128, plan);
  EXPECT_EQ(first.tasks.size(), 3U);
  EXPECT_EQ(first.next_socket, 3);
  const auto second = split_message(2 * 65536 + 128, plan, first.next_socket);
  ASSERT_EQ(second.tasks.size(), 2U);
  EXPECT_EQ(second.tasks[0].socket, 3);
  EXPECT_EQ(second.tasks[1].socket, 0);
}

TEST(SplitMessage, WithoutDataSocketsEverythingGoesOverTheControlSocket) {
  const auto split = split_message(1000000, socket_plan(std::nullopt, {}));
  ASSERT_EQ(split.tasks.size(), 1U);
  EXPECT_EQ(split.tasks[0].socket, -1);
  EXPECT_EQ(split.tasks[0].bytes, 1000000U - 128U);
}

}  // namespace
}  // namespace ringwise::plan
