// Packets of chosen sizes over loopback.
#include "transport/udp/path_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <string>

namespace ringwise::transport::udp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

tcp::Token run_token() {
  return tcp::parse_token("00112233445566778899aabbccddeeff");
}

constexpr tcp::ConnectionId kId{.source = 1, .purpose = tcp::Purpose::kPath, .block = 2};

tcp::SocketAddress loopback(bool is_inet6, std::uint16_t port = 0) {
  return *tcp::SocketAddress::make(is_inet6 ? "::1" : "127.0.0.1", port);
}

std::optional<PathSocket> open(bool is_inet6, const tcp::Token& token = run_token()) {
  int error = 0;
  return PathSocket::open(loopback(is_inet6), token, error);
}

std::vector<int> wait_and_receive(PathSocket& socket) {
  pollfd entry{.fd = socket.fd(), .events = POLLIN, .revents = 0};
  poll(&entry, 1, 2000);
  return socket.receive(kId);
}

class PathSocketOf : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!open(GetParam())) GTEST_SKIP() << "this machine has no such loopback address";
  }
};

TEST_P(PathSocketOf, SaysTheSizeOfTheIpPacketThatCame) {
  auto from = open(GetParam());
  auto to = open(GetParam());
  const auto address = loopback(GetParam(), to->port());
  for (const int bytes : {to->smallest(), 576, 1500, 40000}) {
    ASSERT_EQ(from->send(address, kId, bytes), 0);
    EXPECT_THAT(wait_and_receive(*to), ElementsAre(bytes));
  }
  EXPECT_EQ(to->strays(), 0U);
}

TEST_P(PathSocketOf, SendsNoPacketThatTheInterfaceDoesNotTake) {
  auto from = open(GetParam());
  EXPECT_EQ(from->send(loopback(GetParam(), 9), kId, 70000), EMSGSIZE);
}

TEST_P(PathSocketOf, DropsAndCountsWhatIsNotOurs) {
  auto to = open(GetParam());
  const auto address = loopback(GetParam(), to->port());
  auto stranger = open(GetParam(), tcp::parse_token("ffffffffffffffffffffffffffffffff"));
  auto other_pair = open(GetParam());
  auto other_id = kId;
  other_id.source = 7;
  const std::string text = "GET / HTTP/1.0\r\n\r\n";
  ASSERT_EQ(stranger->send(address, kId, 576), 0);
  ASSERT_EQ(other_pair->send(address, other_id, 576), 0);
  ASSERT_GT(sendto(stranger->fd(), text.data(), text.size(), 0, address.get(), address.length()),
            0);
  ASSERT_EQ(sendto(stranger->fd(), nullptr, 0, 0, address.get(), address.length()), 0);
  std::vector<int> sizes;
  for (int i = 0; i < 10 && to->strays() < 4; ++i) {
    const auto more = wait_and_receive(*to);
    sizes.insert(sizes.end(), more.begin(), more.end());
  }
  EXPECT_THAT(sizes, IsEmpty());
  EXPECT_EQ(to->strays(), 4U);
}

TEST_P(PathSocketOf, ASizeThatDoesNotFitItsPacketIsNotOurs) {
  auto from = open(GetParam());
  auto to = open(GetParam());
  const auto address = loopback(GetParam(), to->port());
  auto id = kId;
  id.socket = 1500;
  const auto hello = tcp::encode_hello(run_token(), id);
  ASSERT_GT(sendto(from->fd(), hello.data(), hello.size(), 0, address.get(), address.length()), 0);
  EXPECT_THAT(wait_and_receive(*to), IsEmpty());
  EXPECT_EQ(to->strays(), 1U);
}

TEST_P(PathSocketOf, TheRouteOverLoopbackHasItsMtu) {
  const auto mtu = route_mtu(loopback(GetParam()), loopback(GetParam(), 9));
  EXPECT_EQ(mtu.error, 0);
  ASSERT_TRUE(mtu.bytes);
  EXPECT_GT(*mtu.bytes, 1280);
}

std::string family_of(const testing::TestParamInfo<bool>& info) {
  return info.param ? "inet6" : "inet";
}

INSTANTIATE_TEST_SUITE_P(Families, PathSocketOf, testing::Bool(), family_of);

TEST(PathSocket, SaysWhyItCannotBeOpened) {
  int error = 0;
  // TEST-NET-1: nobody's address. source: RFC 5737
  EXPECT_FALSE(PathSocket::open(*tcp::SocketAddress::make("192.0.2.1", 0), run_token(), error));
  EXPECT_EQ(error, EADDRNOTAVAIL);
  EXPECT_EQ(route_mtu(*tcp::SocketAddress::make("192.0.2.1", 0), loopback(false, 9)).error,
            EADDRNOTAVAIL);
}

}  // namespace
}  // namespace ringwise::transport::udp
