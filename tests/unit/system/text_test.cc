// Tests of the readers of kernel text formats.
#include "system/text.h"

#include <gtest/gtest.h>

namespace ringwise::system {
namespace {

TEST(CountList, CountsRangesAndSingleNumbers) {
  EXPECT_EQ(count_list("0-3,8,10-11"), 7);
  EXPECT_EQ(count_list("0"), 1);
  EXPECT_EQ(count_list(""), 0);
}

TEST(CountList, RefusesWhatIsNoList) {
  for (const char* text : {"x", "3-1", "0-", "-1", "0,,1", "0-99999999999", "0-3 4"}) {
    EXPECT_FALSE(count_list(text)) << text;
  }
}

TEST(NumbersOfList, NamesThem) {
  EXPECT_EQ(numbers_of_list("0-3,8"), (std::vector<int>{0, 1, 2, 3, 8}));
  for (const char* text : {"", "x", "3-1", "0-99999999999", "1,2,"}) {
    EXPECT_TRUE(numbers_of_list(text).empty()) << text;
  }
}

TEST(ToList, JoinsNeighbours) {
  EXPECT_EQ(to_list({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
  EXPECT_EQ(to_list({}), "");
}

TEST(ValueOf, TakesTheFirstLineWithThatKey) {
  EXPECT_EQ(value_of("a: 1\nmodel name\t: Fast CPU\nmodel name: other\n", "model name"),
            "Fast CPU");
  EXPECT_FALSE(value_of("model name:\n", "model name"));
}

TEST(NumberOf, ReadsKeyAndNumber) {
  EXPECT_EQ(number_of("oom 1\noom_kill 3\n", "oom_kill"), 3U);
  EXPECT_FALSE(number_of("oom_kill -3\n", "oom_kill"));
}

TEST(PciAddress, IsToldFromOtherNames) {
  EXPECT_TRUE(is_pci_address("0000:3b:00.0"));
  EXPECT_TRUE(is_pci_address("10000:e1:00.1"));
  for (const char* text : {"virtio2", "pci0000:3b", "0000:3b:00", "0000:3b:00.x", ""}) {
    EXPECT_FALSE(is_pci_address(text)) << text;
  }
}

TEST(OrderByNumber, ComparesDigitsByValue) {
  EXPECT_TRUE(is_before_by_number("mlx5_2", "mlx5_10"));
  EXPECT_FALSE(is_before_by_number("mlx5_10", "mlx5_2"));
  EXPECT_TRUE(is_before_by_number("eth", "eth0"));
  EXPECT_FALSE(is_before_by_number("eth0", "eth0"));
  EXPECT_NE(is_before_by_number("a1", "a01"), is_before_by_number("a01", "a1"));
}

TEST(ParseHexadecimal, TakesAPrefix) {
  EXPECT_EQ(parse_hexadecimal("0x1f"), 31U);
  EXPECT_EQ(parse_hexadecimal("00000400"), 1024U);
  EXPECT_FALSE(parse_hexadecimal("0xzz"));
  EXPECT_FALSE(parse_hexadecimal(""));
}

}  // namespace
}  // namespace ringwise::system
