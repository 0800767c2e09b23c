// The --interface option: NCCL's grammar or networks, and its errors in words.
#include "plan/interface_option.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hosts.h"

namespace ringwise::plan {
namespace {

using ::testing::HasSubstr;

const std::vector<model::Interface> kInterfaces{
    loopback(), interface("eth0", {"192.168.0.1/24", "10.1.0.1/16", "fd00::1/64"}),
    interface("eth1", {"10.2.0.1/16", "fe80::1/64"}),
    without_link(interface("eth2", {"10.3.0.1/16"}))};

std::string by(const std::string& option) {
  const auto result = select_by_option(kInterfaces, option);
  EXPECT_EQ(result.error, "");
  return chosen(result);
}

TEST(InterfaceOption, TakesNcclsGrammar) {
  EXPECT_EQ(by("eth"), "eth0 192.168.0.1, eth1 10.2.0.1");
  EXPECT_EQ(by("=eth1"), "eth1 10.2.0.1");
  EXPECT_EQ(by("^eth1,lo"), "eth0 192.168.0.1");
}

TEST(InterfaceOption, TakesASingleCharacterAsAName) {
  EXPECT_EQ(by("e"), "eth0 192.168.0.1, eth1 10.2.0.1");
}

TEST(InterfaceOption, TakesTheFirstAddressInsideANetwork) {
  EXPECT_EQ(by("10.0.0.0/8"), "eth0 10.1.0.1, eth1 10.2.0.1");
  EXPECT_EQ(by("fd00::/64"), "eth0 fd00::1");
  EXPECT_EQ(by("10.2.0.0/16,fd00::/64"), "eth1 10.2.0.1, eth0 fd00::1");
  EXPECT_EQ(by("::1/128"), "lo ::1");
}

TEST(InterfaceOption, LimitsBothFormsToAFamily) {
  EXPECT_EQ(chosen(select_by_option(kInterfaces, "eth", "AF_INET6")), "eth0 fd00::1, eth1 fe80::1");
  EXPECT_EQ(chosen(select_by_option(kInterfaces, "10.0.0.0/8,fd00::/64", "AF_INET6")),
            "eth0 fd00::1");
  EXPECT_THAT(select_by_option(kInterfaces, "eth", "ipv6").error,
              HasSubstr("expected AF_INET or AF_INET6"));
}

TEST(InterfaceOption, SaysWhatThereIsWhenNothingMatches) {
  const auto by_name = select_by_option(kInterfaces, "ens");
  EXPECT_THAT(by_name.error, HasSubstr("--interface ens matches no interface with a link"));
  EXPECT_THAT(by_name.error, HasSubstr("eth2 (no link) 10.3.0.1"));
  EXPECT_THAT(select_by_option(kInterfaces, "10.3.0.0/16").error, HasSubstr("eth2 (no link)"));
  EXPECT_THAT(select_by_option(kInterfaces, ",").error, HasSubstr("names no interface"));
  EXPECT_THAT(select_by_option(kInterfaces, "").error, HasSubstr("names no interface"));
}

TEST(InterfaceOption, SaysWhichNetworkIsMalformed) {
  EXPECT_THAT(select_by_option(kInterfaces, "10.0.0.0/33").error, HasSubstr("'10.0.0.0/33'"));
  EXPECT_THAT(select_by_option(kInterfaces, "10.0.0.0/8,eth0").error, HasSubstr("'eth0'"));
  EXPECT_THAT(select_by_option(kInterfaces, "10/8").error, HasSubstr("is no network"));
}

TEST(ErrorUnlessOne, NamesTheCandidates) {
  EXPECT_EQ(error_unless_one(select_by_option(kInterfaces, "=eth1")), "");
  const auto error = error_unless_one(select_by_option(kInterfaces, "eth"));
  EXPECT_THAT(error, HasSubstr("--interface eth matches 2 interfaces where one was expected"));
  EXPECT_THAT(error, HasSubstr("eth0 192.168.0.1, eth1 10.2.0.1"));
  EXPECT_THAT(error_unless_one(select_by_option(kInterfaces, "ens")), HasSubstr("there is:"));
}

}  // namespace
}  // namespace ringwise::plan
