// The worker's communicator, with a scripted supervisor at the other end.
#include "comm/relay.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <thread>

#include "base/error.h"
#include "base/handle.h"

namespace ringwise::comm {
namespace {

base::Deadline soon() {
  return base::Deadline::after(std::chrono::seconds(10));
}

/// Answers one frame of the worker with `reply`, and returns what the worker sent.
class Supervisor {
 public:
  Supervisor(FrameType reply, std::string body) {
    std::array<int, 2> ends{};
    base::check_rc(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
    worker_ = base::FileDescriptor(ends[0]);
    mine_ = base::FileDescriptor(ends[1]);
    thread_ = std::thread([this, reply, text = std::move(body)] {
      FrameChannel channel(mine_.get());
      if (auto frame = channel.receive(soon())) got_ = *frame;
      channel.send(reply, text, soon());
    });
  }
  ~Supervisor() { join(); }
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  Supervisor(Supervisor&&) = delete;
  Supervisor& operator=(Supervisor&&) = delete;
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] int worker_fd() const { return worker_.get(); }
  [[nodiscard]] const Frame& got() const { return got_; }

 private:
  base::FileDescriptor worker_;
  base::FileDescriptor mine_;
  std::thread thread_;
  Frame got_;
};

TEST(Pack, GivesBackWhatItWasGiven) {
  const std::vector<std::string> texts{"", "a", std::string("\0\1", 2), std::string(1000, 'x')};
  EXPECT_EQ(unpack(pack(texts)), texts);
}

TEST(Unpack, RefusesACutBody) {
  const auto body = pack({"abc"});
  EXPECT_THROW((void)unpack(body.substr(0, 5)), Error);
  EXPECT_THROW((void)unpack(body.substr(0, 2)), Error);
}

TEST(RelayCommunicator, GathersThroughTheSupervisor) {
  Supervisor supervisor(FrameType::kReply, pack({"zero", "one"}));
  FrameChannel channel(supervisor.worker_fd());
  RelayCommunicator relay(channel, 1, 2);
  EXPECT_EQ(relay.gather_all("one", soon()), (std::vector<std::string>{"zero", "one"}));
  supervisor.join();
  EXPECT_EQ(supervisor.got().type, FrameType::kGather);
  EXPECT_EQ(supervisor.got().body, "one");
}

TEST(RelayCommunicator, TakesTheLargestNumber) {
  Supervisor supervisor(FrameType::kReply, "2.5");
  FrameChannel channel(supervisor.worker_fd());
  EXPECT_EQ(RelayCommunicator(channel, 0, 2).max(1.25, soon()), 2.5);
  supervisor.join();
  EXPECT_EQ(supervisor.got().body, "1.25");
}

TEST(RelayCommunicator, AnAbortNamesWhoFailedFirst) {
  Supervisor supervisor(FrameType::kAbort, "rank 2 (node3): the cable is out");
  FrameChannel channel(supervisor.worker_fd());
  try {
    RelayCommunicator(channel, 0, 3).barrier(soon());
    FAIL() << "the abort was not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kPeer);
    EXPECT_STREQ(error.what(), "rank 2 (node3): the cable is out");
  }
}

TEST(RelayCommunicator, SaysWhoNoLongerTakesPart) {
  const std::vector<Contribution> present{{"zero", ""}, {"", "rank 1 (node2): it died"}};
  Supervisor supervisor(FrameType::kPartial, pack_present(present));
  FrameChannel channel(supervisor.worker_fd());
  EXPECT_EQ(RelayCommunicator(channel, 0, 2).gather_present("zero", soon()), present);
}

TEST(RelayCommunicator, WhoNeedsEveryoneFailsByTheOneThatIsLost) {
  Supervisor supervisor(FrameType::kPartial, pack_present({{"zero", ""}, {"", "rank 1 died"}}));
  FrameChannel channel(supervisor.worker_fd());
  try {
    (void)RelayCommunicator(channel, 0, 2).gather_all("zero", soon());
    FAIL() << "the loss was not noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kPeer);
    EXPECT_STREQ(error.what(), "rank 1 died");
  }
}

TEST(RelayCommunicator, WhoWaitsInVainIsNotTheCause) {
  std::array<int, 2> ends{};
  base::check_rc(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
  const base::FileDescriptor mine(ends[0]);
  const base::FileDescriptor silent(ends[1]);
  FrameChannel channel(mine.get());
  try {
    RelayCommunicator(channel, 0, 2).barrier(base::Deadline::after({}));
    FAIL() << "nobody answered";
  } catch (const Error& error) {
    // kPeer makes no problem of this rank's own.
    EXPECT_EQ(error.kind(), ErrorKind::kPeer);
  }
}

TEST(RelayCommunicator, RefusesAnswersForAnotherWorld) {
  Supervisor supervisor(FrameType::kReply, pack({"only one"}));
  FrameChannel channel(supervisor.worker_fd());
  EXPECT_THROW((void)RelayCommunicator(channel, 0, 2).gather_all("x", soon()), Error);
}

}  // namespace
}  // namespace ringwise::comm
