// Tests of the offloads: the kernel's names, the saved form, and this machine's loopback.
#include "system/offloads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(OffloadsOf, OneOfSeveralFeaturesIsEnough) {
  const Features features{.known = {"tx-tcp-segmentation", "tx-tcp6-segmentation",
                                    "tx-checksum-ipv4", "tx-checksum-ip-generic", "rx-gro"},
                          .active = {"tx-tcp6-segmentation", "tx-checksum-ip-generic"}};
  const auto offloads = offloads_of(features);
  EXPECT_EQ(offloads.tso, true);
  EXPECT_EQ(offloads.tx_checksum, true);
  EXPECT_EQ(offloads.gro, false);
}

TEST(OffloadsOf, AFeatureWithoutANameIsNotOff) {
  const auto offloads = offloads_of({.known = {"rx-gro"}, .active = {}});
  EXPECT_EQ(offloads.gro, false);
  EXPECT_FALSE(offloads.tso);
  EXPECT_FALSE(offloads.gso);
  EXPECT_FALSE(offloads.tx_checksum);
  EXPECT_FALSE(offloads.rx_checksum);
}

TEST(ParseOffloads, TakesTrueAndFalseOnly) {
  std::vector<std::string> problems;
  const auto found = parse_offloads(
      R"([{"ifindex": 2, "offloads": {"tso": true, "gso": false, "gro": "on", "other": 1}}])",
      problems);
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_TRUE(found.contains(2));
  EXPECT_EQ(found.at(2).tso, true);
  EXPECT_EQ(found.at(2).gso, false);
  EXPECT_FALSE(found.at(2).gro);
}

TEST(ParseOffloads, SaysWhatIsBad) {
  std::vector<std::string> problems;
  EXPECT_THAT(parse_offloads("{]", problems), IsEmpty());
  EXPECT_THAT(problems, ElementsAre(HasSubstr("ethtool.json")));
  problems.clear();
  const auto found = parse_offloads(
      R"([7, {}, {"ifindex": 99999999999, "offloads": {}}, {"ifindex": -1, "offloads": {}},
          {"ifindex": 3, "offloads": []}, {"ifindex": 4, "offloads": {}}])",
      problems);
  EXPECT_EQ(found.size(), 1U);
  EXPECT_THAT(problems, ElementsAre(HasSubstr("5 entries")));
}

TEST(ReadOffloads, KnowsTheLoopbackOfThisMachine) {
  std::vector<std::string> problems;
  const auto found = read_offloads(problems);
  EXPECT_THAT(problems, IsEmpty());
  if (found.empty()) GTEST_SKIP() << "this kernel has no ethtool netlink family";
  ASSERT_TRUE(found.contains(1));
  EXPECT_TRUE(found.at(1).tso);
  EXPECT_TRUE(found.at(1).gso);
  EXPECT_TRUE(found.at(1).gro);
  EXPECT_TRUE(found.at(1).tx_checksum);
  EXPECT_TRUE(found.at(1).rx_checksum);
}

}  // namespace
}  // namespace ringwise::system
