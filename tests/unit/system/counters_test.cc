// Tests of interface counters, on loopback.
#include "system/counters.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "base/handle.h"

namespace ringwise::system {
namespace {

/// Sends and receives `count` datagrams of 1024 bytes over loopback; false where that fails.
bool exchange_datagrams(int count) {
  const base::FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const timeval limit{.tv_sec = 5, .tv_usec = 0};
  if (::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0 ||
      ::bind(socket.get(), generic, length) != 0 ||
      ::getsockname(socket.get(), generic, &length) != 0) {
    return false;
  }
  std::array<char, 1024> buffer{};
  for (int i = 0; i < count; ++i) {
    if (::sendto(socket.get(), buffer.data(), buffer.size(), 0, generic, length) != 1024 ||
        ::recv(socket.get(), buffer.data(), buffer.size(), 0) != 1024) {
      return false;
    }
  }
  return true;
}

TEST(ReadInterfaceCounters, GrowByWhatWasSent) {
  const auto before = read_interface_counters("lo");
  ASSERT_TRUE(before);
  if (!exchange_datagrams(64)) GTEST_SKIP() << "no datagrams over loopback: is lo up?";
  const auto after = read_interface_counters("lo");
  ASSERT_TRUE(after);
  EXPECT_GE(after->at("rx_bytes"), before->at("rx_bytes") + std::uint64_t{64} * 1024);
  EXPECT_GE(after->at("tx_bytes"), before->at("tx_bytes") + std::uint64_t{64} * 1024);
  EXPECT_GE(after->at("tx_packets"), before->at("tx_packets") + 64);
}

TEST(ReadInterfaceCounters, HaveEveryKey) {
  const auto values = read_interface_counters("lo");
  ASSERT_TRUE(values);
  for (const char* key : {"rx_bytes", "tx_bytes", "rx_packets", "tx_packets", "rx_errors",
                          "tx_errors", "rx_dropped", "tx_dropped"}) {
    EXPECT_TRUE(values->contains(key)) << key;
  }
}

TEST(ReadInterfaceCounters, AreAbsentForAnUnknownInterface) {
  EXPECT_FALSE(read_interface_counters("no-such-if0"));
  EXPECT_FALSE(read_interface_counters(""));
  EXPECT_FALSE(read_interface_counters(std::string(100, 'x')));
}

TEST(ReadInterfaceCounters, OfAllIncludeLoopback) {
  const auto all = read_interface_counters();
  EXPECT_TRUE(std::ranges::any_of(all, [](const auto& entry) { return entry.name == "lo"; }));
}

}  // namespace
}  // namespace ringwise::system
