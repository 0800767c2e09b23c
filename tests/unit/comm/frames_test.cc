// Frames between a supervisor and its worker, over a real socket pair.
#include "comm/frames.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/handle.h"

namespace ringwise::comm {
namespace {

struct Pair {
  Pair() {
    std::array<int, 2> ends{};
    base::check_rc(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
    left = base::FileDescriptor(ends[0]);
    right = base::FileDescriptor(ends[1]);
  }
  base::FileDescriptor left;
  base::FileDescriptor right;
};

base::Deadline soon() {
  return base::Deadline::after(std::chrono::seconds(10));
}

TEST(FrameChannel, KeepsTypeOrderAndBytes) {
  const Pair pair;
  FrameChannel left(pair.left.get());
  FrameChannel right(pair.right.get());
  left.send(FrameType::kStep, "connect", soon());
  left.send(FrameType::kReport, std::string("a\0b", 3), soon());
  left.send(FrameType::kMax, "", soon());
  const auto first = right.receive(soon());
  const auto second = right.receive(soon());
  const auto third = right.receive(soon());
  ASSERT_TRUE(first && second && third);
  EXPECT_EQ(first->type, FrameType::kStep);
  EXPECT_EQ(first->body, "connect");
  EXPECT_EQ(second->body, std::string("a\0b", 3));
  EXPECT_EQ(third->type, FrameType::kMax);
  EXPECT_EQ(third->body, "");
}

TEST(FrameChannel, CarriesMoreThanTheSocketHolds) {
  const Pair pair;
  const std::string body(std::size_t{8} << 20, 'x');
  std::thread writer([&] { FrameChannel(pair.left.get()).send(FrameType::kGather, body, soon()); });
  const auto frame = FrameChannel(pair.right.get()).receive(soon());
  writer.join();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->body, body);
}

TEST(FrameChannel, SaysNothingWhenTheOtherEndClosed) {
  Pair pair;
  pair.left.reset();
  EXPECT_FALSE(FrameChannel(pair.right.get()).receive(soon()));
}

TEST(FrameChannel, AFrameCutByTheCloseIsNone) {
  Pair pair;
  const std::string half("X\x08\0\0\0abc", 8);
  base::check_rc(static_cast<int>(::send(pair.left.get(), half.data(), half.size(), 0)), "send");
  pair.left.reset();
  EXPECT_FALSE(FrameChannel(pair.right.get()).receive(soon()));
}

TEST(FrameChannel, ReceivingEndsAtTheDeadline) {
  const Pair pair;
  FrameChannel right(pair.right.get());
  try {
    (void)right.receive(base::Deadline::after(std::chrono::milliseconds(5)));
    FAIL() << "nothing was sent";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kTimeout);
  }
}

TEST(FrameChannel, RefusesAnImpossibleLength) {
  const Pair pair;
  const std::string bad("X\xff\xff\xff\xff", 5);
  base::check_rc(static_cast<int>(::send(pair.left.get(), bad.data(), bad.size(), 0)), "send");
  EXPECT_THROW((void)FrameChannel(pair.right.get()).receive(soon()), Error);
}

TEST(FrameChannel, SendingToNobodyIsTold) {
  Pair pair;
  pair.right.reset();
  FrameChannel left(pair.left.get());
  EXPECT_FALSE(left.try_send(FrameType::kStep, "x", soon()));
  EXPECT_THROW(left.send(FrameType::kStep, "x", soon()), Error);
}

}  // namespace
}  // namespace ringwise::comm
