// Size lists from options, and what is wrong with a bad one in words.
#include "plan/sizes.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ParseSizes, GivesTheDefaultsWhenNothingIsAsked) {
  EXPECT_THAT(parse_sizes({}).sizes,
              ElementsAre(8, 1024, 16384, 262144, 1048576, 4194304, 16777216, 67108864));
}

TEST(ParseSizes, SortsAListAndDropsRepetitions) {
  const auto list = parse_sizes({.sizes = {"1M", "8", "64K", "1MiB"}});
  EXPECT_EQ(list.error, "");
  EXPECT_THAT(list.sizes, ElementsAre(8, 65536, 1048576));
}

TEST(ParseSizes, MultipliesThroughARange) {
  EXPECT_THAT(parse_sizes({.min_bytes = "1K", .max_bytes = "16K"}).sizes,
              ElementsAre(1024, 2048, 4096, 8192, 16384));
  EXPECT_THAT(parse_sizes({.min_bytes = "1K", .max_bytes = "20K", .factor = "4"}).sizes,
              ElementsAre(1024, 4096, 16384));
  EXPECT_THAT(parse_sizes({.min_bytes = "8", .max_bytes = "20", .factor = "1.5"}).sizes,
              ElementsAre(8, 12, 16));
}

TEST(ParseSizes, CompletesHalfARange) {
  EXPECT_EQ(parse_sizes({.max_bytes = "32"}).sizes.front(), 8U);
  EXPECT_EQ(parse_sizes({.min_bytes = "16M"}).sizes.back(), 67108864U);
}

TEST(ParseSizes, SaysWhatIsWrong) {
  EXPECT_THAT(parse_sizes({.sizes = {"4X"}}).error, HasSubstr("--sizes: '4X' is no size"));
  EXPECT_THAT(parse_sizes({.sizes = {"0"}}).error, HasSubstr("'0' is no size"));
  EXPECT_THAT(parse_sizes({.sizes = {"10"}}).error, HasSubstr("float32"));
  EXPECT_THAT(parse_sizes({.sizes = {"1024G"}}).error, HasSubstr("more than 16 GiB"));
  EXPECT_THAT(parse_sizes({.min_bytes = "1M", .max_bytes = "1K"}).error,
              HasSubstr("--min-bytes 1 MiB is more than --max-bytes 1 KiB"));
  EXPECT_THAT(parse_sizes({.factor = "1"}).error, HasSubstr("--factor: '1'"));
  EXPECT_THAT(parse_sizes({.factor = "2x"}).error, HasSubstr("--factor: '2x'"));
  EXPECT_THAT(parse_sizes({.sizes = {"8"}, .factor = "2"}).error, HasSubstr("cannot be combined"));
  EXPECT_TRUE(parse_sizes({.sizes = {"8", "4X"}}).sizes.empty());
}

TEST(ParseSizes, RefusesAFlood) {
  EXPECT_THAT(parse_sizes({.min_bytes = "4", .max_bytes = "16G", .factor = "1.1"}).error,
              ::testing::AnyOf("", HasSubstr("more than 256 sizes")));
  EXPECT_LE(parse_sizes({.min_bytes = "4", .max_bytes = "16G", .factor = "1.1"}).sizes.size(),
            256U);
}

}  // namespace
}  // namespace ringwise::plan
