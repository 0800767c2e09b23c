// Sizes, durations and texts as people write and read them.
#include "base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::base {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ParseBytes, TakesPowersOfTwoAndOfTen) {
  EXPECT_EQ(parse_bytes("8"), 8U);
  EXPECT_EQ(parse_bytes("8B"), 8U);
  EXPECT_EQ(parse_bytes("64K"), 65536U);
  EXPECT_EQ(parse_bytes("64k"), 65536U);
  EXPECT_EQ(parse_bytes("4M"), 4194304U);
  EXPECT_EQ(parse_bytes("4MiB"), 4194304U);
  EXPECT_EQ(parse_bytes("4MB"), 4000000U);
  EXPECT_EQ(parse_bytes("1G"), 1073741824U);
  EXPECT_EQ(parse_bytes("1GB"), 1000000000U);
  EXPECT_EQ(parse_bytes(" 1.5 GiB "), 1610612736U);
}

TEST(ParseBytes, RefusesEverythingElse) {
  for (const auto* bad : {"", "M", "-4M", "0", "4X", "4 M B", "0.3", "1e3", "nan", "inf", "0x10",
                          "9999999999G", "4MM", "4M,8M"}) {
    EXPECT_FALSE(parse_bytes(bad).has_value()) << bad;
  }
}

TEST(ParseDuration, TakesUnitsAndBareSeconds) {
  EXPECT_EQ(parse_duration("20s"), 20s);
  EXPECT_EQ(parse_duration("20"), 20s);
  EXPECT_EQ(parse_duration("500ms"), 500ms);
  EXPECT_EQ(parse_duration("2m"), 2min);
  EXPECT_EQ(parse_duration("1h"), 1h);
  EXPECT_EQ(parse_duration("1.5 s"), 1500ms);
}

TEST(ParseDuration, RefusesEverythingElse) {
  for (const auto* bad : {"", "s", "-1s", "0", "0.0001s", "1d", "8760h", "5 minutes", "1m30s"}) {
    EXPECT_FALSE(parse_duration(bad).has_value()) << bad;
  }
}

TEST(FormatBytes, TakesTheLargestUnitThatGivesOneOrMore) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(8), "8 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(65536), "64 KiB");
  EXPECT_EQ(format_bytes(1572864), "1.50 MiB");
  EXPECT_EQ(format_bytes(std::uint64_t{1} << 42U), "4 TiB");
}

TEST(FormatUs, HasThreeDigits) {
  EXPECT_EQ(format_us(0.5), "0.50 us");
  EXPECT_EQ(format_us(12.34), "12.3 us");
  EXPECT_EQ(format_us(4560), "4.56 ms");
  EXPECT_EQ(format_us(123456), "123 ms");
  EXPECT_EQ(format_us(1200000), "1.20 s");
}

TEST(ParseInt, TakesWholeNumbersThatFillTheText) {
  EXPECT_EQ(parse_int("-12"), -12);
  EXPECT_EQ(parse_int("9223372036854775807"), 9223372036854775807);
  for (const auto* bad : {"", "1 ", " 1", "+1", "1.0", "0x1", "9223372036854775808"}) {
    EXPECT_FALSE(parse_int(bad).has_value()) << bad;
  }
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split("a", ','), ElementsAre("a"));
  EXPECT_THAT(split("", ','), IsEmpty());
}

TEST(Join, IsTheOppositeOfSplit) {
  EXPECT_EQ(join({"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(join({}, ", "), "");
}

TEST(Trim, TakesBlanksOffBothEnds) {
  EXPECT_EQ(trim(" \ta b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Printable, KeepsTextAndUtf8) {
  EXPECT_EQ(printable("eth0 \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "eth0 \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
}

TEST(Printable, ShowsControlCharactersAndBadUtf8AsBytes) {
  EXPECT_EQ(printable(std::string_view("a\x1b[31m\n\0\x7f", 9)), "a\\x1b[31m\\x0a\\x00\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
}

TEST(Printable, ShowsCharactersThatReorderOrHideOthers) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\xe2\\x80\\xae"
            "b");                                           // right-to-left override
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\xe2\\x80\\xa8");  // line separator
  EXPECT_EQ(printable("\xe2\x81\xa6"), "\\xe2\\x81\\xa6");  // isolate
  EXPECT_EQ(printable("\xe2\x80\x8b"), "\\xe2\\x80\\x8b");  // zero-width space
  EXPECT_EQ(printable("\xd8\x9c"), "\\xd8\\x9c");           // Arabic letter mark
  EXPECT_EQ(printable("\xef\xbb\xbf"), "\\xef\\xbb\\xbf");  // byte order mark
  EXPECT_EQ(printable("\xe2\x80\x94 \xe2\x86\x92"), "\xe2\x80\x94 \xe2\x86\x92");
}

TEST(Printable, EscapesWhatOnlyLooksLikeUtf8) {
  EXPECT_EQ(printable("\xe0\x80\x80"), "\\xe0\\x80\\x80");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf0\x80\x80\x80"), "\\xf0\\x80\\x80\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x82\xac"), "\xe2\x82\xac");
}

}  // namespace
}  // namespace ringwise::base
