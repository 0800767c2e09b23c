// Both ends of the path probe over loopback, and against peers that behave badly.
#include "probe/path_probe.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"

namespace ringwise::probe {
namespace {

namespace tcp = transport::tcp;
using testing::HasSubstr;

constexpr const char* kToken = "00112233445566778899aabbccddeeff";

/// Two ends of one TCP connection over loopback.
std::array<base::FileDescriptor, 2> connected_pair() {
  const auto any = *tcp::SocketAddress::make("127.0.0.1", 0);
  const base::FileDescriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(bind(listener.get(), any.get(), any.length()), 0);
  EXPECT_EQ(listen(listener.get(), 1), 0);
  const auto there = tcp::SocketAddress::of_socket(listener.get());
  base::FileDescriptor from(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(connect(from.get(), there.get(), there.length()), 0);
  base::FileDescriptor to(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  EXPECT_TRUE(to.is_open());
  for (const int fd : {from.get(), to.get()}) tcp::set_options(fd, {});
  return {std::move(from), std::move(to)};
}

std::unique_ptr<PairLink> link_to(int peer, base::FileDescriptor fd) {
  const transport::Peer end{.rank = peer,
                            .host = "node" + std::to_string(peer),
                            .interface = "lo",
                            .step = std::make_shared<const std::string>("path")};
  return std::make_unique<PairLink>(std::move(fd), end, std::chrono::seconds(1),
                                    base::Deadline::after(std::chrono::minutes(1)));
}

PathEnds ends_of(std::uint32_t rank, const char* token = kToken) {
  const auto address = *tcp::SocketAddress::make("127.0.0.1", 0);
  return {.local = address,
          .remote = address,
          .token = tcp::parse_token(token),
          .id = {.source = rank, .purpose = tcp::Purpose::kPath},
          .device_mtu = 65536};
}

/// Runs both ends; what each found.
std::pair<PathFindings, PathFindings> run(const PathEnds& first, const PathEnds& second) {
  auto fds = connected_pair();
  const auto link = link_to(1, std::move(fds[0]));
  const auto other_link = link_to(0, std::move(fds[1]));
  auto other = std::async(std::launch::async, [&] { return probe_path(*other_link, second); });
  auto mine = probe_path(*link, first);
  auto theirs = other.get();
  // Nothing of the probe is left on the connection.
  char rest = 0;
  EXPECT_LT(recv(link->fd(), &rest, 1, MSG_DONTWAIT), 0);
  EXPECT_LT(recv(other_link->fd(), &rest, 1, MSG_DONTWAIT), 0);
  return {mine, theirs};
}

TEST(ProbePath, FindsTheWholeLoopbackInBothDirections) {
  const auto [mine, theirs] = run(ends_of(0), ends_of(1));
  for (const auto& found : {mine, theirs}) {
    EXPECT_EQ(found.forward.device_mtu, 65536);
    ASSERT_TRUE(found.forward.route_mtu);
    ASSERT_TRUE(found.forward.forward_mtu) << found.forward.reason.value_or("");
    EXPECT_EQ(*found.forward.forward_mtu,
              std::min(*found.forward.route_mtu, model::kLargestIpPacket));
    EXPECT_FALSE(model::is_too_narrow(found.forward));
    EXPECT_EQ(found.backward.route_mtu, found.forward.route_mtu);
    EXPECT_EQ(found.backward.forward_mtu, found.forward.forward_mtu);
    EXPECT_EQ(found.strays, 0U);
  }
}

TEST(ProbePath, PacketsOfAnotherRunAreNotAnsweredButCounted) {
  const auto [mine, theirs] = run(ends_of(0), ends_of(1, "ffffffffffffffffffffffffffffffff"));
  EXPECT_FALSE(mine.forward.forward_mtu);
  EXPECT_THAT(mine.forward.reason.value(), HasSubstr("no UDP packet arrived"));
  EXPECT_TRUE(mine.forward.route_mtu);
  EXPECT_FALSE(mine.backward.forward_mtu);
  EXPECT_GT(theirs.strays, 0U);
  EXPECT_GT(mine.strays, 0U);
}

TEST(ProbePath, AnEndWithoutASocketIsAReasonOnBoth) {
  auto without = ends_of(1);
  // TEST-NET-1: nobody's address. source: RFC 5737
  without.local = *tcp::SocketAddress::make("192.0.2.1", 0);
  const auto [mine, theirs] = run(ends_of(0), without);
  EXPECT_THAT(mine.forward.reason.value(), HasSubstr("has no UDP socket"));
  EXPECT_THAT(theirs.forward.reason.value(), HasSubstr("MTU is unknown"));
  EXPECT_FALSE(theirs.forward.route_mtu);
  EXPECT_FALSE(mine.backward.route_mtu);
}

TEST(ProbePath, APeerThatSendsSomethingElseIsAnError) {
  auto fds = connected_pair();
  const auto link = link_to(1, std::move(fds[0]));
  const std::array<std::uint32_t, 3> nonsense{77, 1, 2};
  ASSERT_EQ(write(fds[1].get(), nonsense.data(), sizeof nonsense),
            static_cast<ssize_t>(sizeof nonsense));
  EXPECT_THROW(
      {
        try {
          [[maybe_unused]] const auto found = probe_path(*link, ends_of(0));
        } catch (const PlacedError& error) {
          EXPECT_EQ(error.kind(), ErrorKind::kPeer);
          EXPECT_EQ(error.place().peer, 1);
          throw;
        }
      },
      PlacedError);
}

TEST(ProbePath, AnswersThatNobodyAskedForSayNothing) {
  auto fds = connected_pair();
  const auto link = link_to(1, std::move(fds[0]));
  // Port 9 takes nothing; sizes that were never sent "arrived"; done; bye.
  const std::array<std::uint32_t, 15> notes{1, 9, 0,    2, 600, 0, 2, 4000000000U,
                                            0, 3, 1500, 0, 4,   0, 0};
  ASSERT_EQ(write(fds[1].get(), notes.data(), sizeof notes), static_cast<ssize_t>(sizeof notes));
  const auto found = probe_path(*link, ends_of(0));
  EXPECT_FALSE(found.forward.forward_mtu);
  EXPECT_TRUE(found.forward.reason);
  EXPECT_EQ(found.backward.route_mtu, 1500);
  EXPECT_FALSE(found.backward.forward_mtu);
}

TEST(ProbePath, ASilentPeerEndsTheWait) {
  auto fds = connected_pair();
  const auto link = link_to(1, std::move(fds[0]));
  PathTimes times;
  times.limit = std::chrono::milliseconds(50);
  EXPECT_THROW([[maybe_unused]] const auto found = probe_path(*link, ends_of(0), times),
               PlacedError);
}

}  // namespace
}  // namespace ringwise::probe
