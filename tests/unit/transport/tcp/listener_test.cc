#include "transport/tcp/listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.h"
#include "transport/tcp/dialer.h"

namespace ringwise::transport::tcp {
namespace {

const Token kToken = parse_token("00112233445566778899aabbccddeeff");
const SocketAddress kLoopback = *SocketAddress::make("127.0.0.1", 0);
constexpr auto kForEver = std::chrono::seconds(60);

base::Deadline soon() {
  return base::Deadline::after(std::chrono::seconds(30));
}

Peer peer(int rank) {
  return {rank, "node" + std::to_string(rank), "lo", nullptr};
}

/// A client that knows nothing of us.
base::FileDescriptor stray(const Listener& listener, std::string_view text = {}) {
  base::FileDescriptor fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  base::check_rc(connect(fd.get(), listener.address().get(), listener.address().length()),
                 "connect");
  if (!text.empty())
    base::check_rc(static_cast<int>(write(fd.get(), text.data(), text.size())), "write");
  return fd;
}

bool is_closed(const base::FileDescriptor& fd) {
  char byte = 0;
  return read(fd.get(), &byte, 1) <= 0;
}

std::string_view as_text(const Hello& hello) {
  return {reinterpret_cast<const char*>(hello.data()), hello.size()};
}

class Strays : public testing::Test {
 protected:
  /// A real connection comes through; everything else that waits is judged on the way.
  void connect_one() {
    const ConnectionId id{1, Purpose::kRing, block_++, 0, 0, 0};
    listener_.expect(id);
    Dialer dialer(kToken, {});
    dialer.dial(id, kLoopback, listener_.address(), peer(0));
    Listener* listeners[] = {&listener_};
    establish(listeners, dialer, {{id, peer(1)}}, soon());
    EXPECT_EQ(listener_.take().count(id), 1U);
    EXPECT_EQ(dialer.take().count(id), 1U);
  }
  void progress_until_strays(std::uint64_t count) {
    const auto deadline = soon();
    while (listener_.strays() < count && !deadline.has_passed()) listener_.progress();
    EXPECT_EQ(listener_.strays(), count);
  }

  Listener listener_{kLoopback, kToken, {}, kForEver};
  std::uint32_t block_ = 0;
};

TEST_F(Strays, OfHttpAreDroppedAtTheFirstBytes) {
  const auto http = stray(listener_, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  connect_one();
  progress_until_strays(1);
  EXPECT_TRUE(is_closed(http));
}

TEST_F(Strays, ThatCloseAreCounted) {
  { const auto gone = stray(listener_); }
  connect_one();
  progress_until_strays(1);
}

TEST_F(Strays, WithAnotherRunsTokenAreDropped) {
  const auto other = parse_token("ffffffffffffffffffffffffffffffff");
  const auto fd = stray(listener_, as_text(encode_hello(other, {})));
  progress_until_strays(1);
  EXPECT_TRUE(is_closed(fd));
}

TEST_F(Strays, WithAGoodTokenButAnUnexpectedIdAreDropped) {
  const auto fd = stray(listener_, as_text(encode_hello(kToken, {9, Purpose::kPair, 1, 2, 3, 4})));
  progress_until_strays(1);
  EXPECT_TRUE(is_closed(fd));
}

TEST_F(Strays, ThatSayNothingOrHalfAHelloDelayNobody) {
  const auto silent = stray(listener_);
  const auto half = stray(listener_, as_text(encode_hello(kToken, {})).substr(0, 30));
  for (int i = 0; i < 3; ++i) connect_one();
  EXPECT_EQ(listener_.strays(), 0U);
}

TEST_F(Strays, InAFloodMakeRoomForTheRealOnes) {
  std::vector<base::FileDescriptor> flood;
  for (std::size_t i = 0; i < Listener::kMaxPending + 50; ++i) flood.push_back(stray(listener_));
  connect_one();
  progress_until_strays(50);
  EXPECT_TRUE(is_closed(flood.front()));
}

TEST(Listener, DropsSilentOnesWhenTheirTimeIsOver) {
  Listener listener(kLoopback, kToken, {}, base::Nanoseconds(0));
  const auto silent = stray(listener);
  const auto deadline = soon();
  while (listener.strays() == 0 && !deadline.has_passed()) listener.progress();
  EXPECT_TRUE(is_closed(silent));
}

TEST(Dialer, TriesAgainWhileNobodyListens) {
  SocketAddress address;
  { address = Listener(kLoopback, kToken, {}).address(); }
  Dialer dialer(kToken, {});
  dialer.dial({}, kLoopback, address, peer(2));
  try {
    establish({}, dialer, {}, base::Deadline::after(std::chrono::milliseconds(30)));
    FAIL() << "connected";
  } catch (const PlacedError& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kTimeout);
    EXPECT_EQ(error.place().peer, 2);
    EXPECT_EQ(error.place().interface, "lo");
    EXPECT_THAT(error.what(), testing::MatchesRegex("cannot connect to rank 2 \\(node2\\) over lo "
                                                    "at 127.0.0.1:[0-9]+: Connection refused "
                                                    "after [0-9]+ attempts?"));
  }
}

TEST(Establish, NamesTheRankThatDidNotConnect) {
  Listener listener(kLoopback, kToken, {});
  listener.expect({3, Purpose::kRing, 0, 0, 0, 0});
  Dialer dialer(kToken, {});
  Listener* listeners[] = {&listener};
  try {
    establish(listeners, dialer, {{{3, Purpose::kRing, 0, 0, 0, 0}, peer(3)}},
              base::Deadline::after(std::chrono::milliseconds(1)));
    FAIL() << "established";
  } catch (const PlacedError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("rank 3 (node3) over lo has not connected to "));
  }
}

}  // namespace
}  // namespace ringwise::transport::tcp
