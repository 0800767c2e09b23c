// Networks as text, and which addresses lie in them.
#include "plan/cidr.h"

#include <gtest/gtest.h>

namespace ringwise::plan {
namespace {

bool is_in(const char* network, const char* address) {
  const auto cidr = parse_cidr(network);
  return cidr && contains(*cidr, address);
}

TEST(Cidr, ContainsByPrefixBits) {
  EXPECT_TRUE(is_in("10.0.0.0/8", "10.255.0.1"));
  EXPECT_FALSE(is_in("10.0.0.0/8", "11.0.0.1"));
  EXPECT_TRUE(is_in("192.168.4.0/22", "192.168.7.255"));
  EXPECT_FALSE(is_in("192.168.4.0/22", "192.168.8.0"));
  EXPECT_TRUE(is_in("fd00:0:0:8000::/49", "fd00:0:0:ffff::1"));
  EXPECT_FALSE(is_in("fd00:0:0:8000::/49", "fd00:0:0:7fff::1"));
}

TEST(Cidr, ZeroBitsContainTheFamilyOnly) {
  EXPECT_TRUE(is_in("0.0.0.0/0", "1.2.3.4"));
  EXPECT_FALSE(is_in("0.0.0.0/0", "fd00::1"));
  EXPECT_TRUE(is_in("::/0", "fd00::1"));
}

TEST(Cidr, WithoutSlashIsOneAddress) {
  EXPECT_TRUE(is_in("10.0.0.1", "10.0.0.1"));
  EXPECT_FALSE(is_in("10.0.0.1", "10.0.0.2"));
  EXPECT_TRUE(is_in("10.1", "10.0.0.1"));
}

TEST(Cidr, RefusesWhatIsNoNetwork) {
  for (const char* text :
       {"", "/8", "eth0", "10.0.0.0/", "10.0.0.0/x", "10.0.0.0/33", "10.0.0.0/-1", "fd00::/129",
        "10/8", "10.0.0.0/8/8", "fd00::1%eth0/64"}) {
    EXPECT_FALSE(parse_cidr(text)) << text;
  }
}

}  // namespace
}  // namespace ringwise::plan
