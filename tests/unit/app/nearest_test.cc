// Tests of the search for the word that was meant.
#include "app/nearest.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ringwise::app {
namespace {

const std::vector<std::string> kKnown{"--format", "--details", "--quiet"};

TEST(Nearest, FindsAMistypedWord) {
  EXPECT_EQ(nearest("--fromat", kKnown), "--format");
  EXPECT_EQ(nearest("--detail", kKnown), "--details");
}

TEST(Nearest, SaysNothingWhenNoWordIsNear) {
  EXPECT_EQ(nearest("--output", kKnown), std::nullopt);
  EXPECT_EQ(nearest("", kKnown), std::nullopt);
  EXPECT_EQ(nearest(std::string(100, 'x'), kKnown), std::nullopt);
}

}  // namespace
}  // namespace ringwise::app
