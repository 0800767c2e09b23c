#include "transport/tcp/address.h"

#include <gtest/gtest.h>
#include <netinet/in.h>

namespace ringwise::transport::tcp {
namespace {

std::uint32_t scope_of(const SocketAddress& address) {
  return reinterpret_cast<const sockaddr_in6*>(address.get())->sin6_scope_id;
}

TEST(SocketAddress, ReadsAndWritesBothFamilies) {
  EXPECT_EQ(SocketAddress::parse("10.0.0.1:4567")->text(), "10.0.0.1:4567");
  EXPECT_EQ(SocketAddress::parse("[fd00::1]:80")->text(), "[fd00::1]:80");
  EXPECT_EQ(SocketAddress::parse("[fd00::1]:80")->family(), AF_INET6);
  EXPECT_STREQ(SocketAddress::make("::1", 1)->family_name(), "inet6");
  EXPECT_STREQ(SocketAddress::make("127.0.0.1", 1)->family_name(), "inet");
}

TEST(SocketAddress, TakesTheScopeOfTheOwnInterfaceForLinkLocalOnly) {
  EXPECT_EQ(scope_of(*SocketAddress::make("fe80::1", 1, 7)), 7U);
  EXPECT_EQ(scope_of(*SocketAddress::make("fe80::1%3", 1, 7)), 3U);
  EXPECT_EQ(scope_of(*SocketAddress::make("fe80::1%lo", 1, 7)), 1U);
  EXPECT_EQ(scope_of(*SocketAddress::make("fd00::1", 1, 7)), 0U);
  EXPECT_EQ(SocketAddress::make("fe80::1", 1, 7)->text(), "[fe80::1]:1");
}

TEST(SocketAddress, RefusesWhatIsNoAddress) {
  for (const char* text : {"", "10.0.0.1", "10.0.0:1", "10.0.0.1:", "10.0.0.1:65536", "[::1:5",
                           "node1:80", "10.0.0.1%1:80", "[fe80::1%nosuch]:1"}) {
    EXPECT_FALSE(SocketAddress::parse(text)) << text;
  }
}

TEST(SocketAddress, ChangesThePortOnly) {
  EXPECT_EQ(SocketAddress::make("10.0.0.1", 0)->with_port(99).text(), "10.0.0.1:99");
  EXPECT_EQ(SocketAddress::make("::1", 5)->with_port(99).port(), 99);
}

}  // namespace
}  // namespace ringwise::transport::tcp
