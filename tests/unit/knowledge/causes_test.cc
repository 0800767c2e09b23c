// The cause list that is compiled in.
#include "knowledge/causes.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace ringwise::knowledge {
namespace {

TEST(Causes, AreUniqueSlugsWithAMeaning) {
  const auto causes = Causes::load();
  EXPECT_GE(causes.all().size(), 80U);
  std::set<std::string> slugs;
  for (const auto& cause : causes.all()) {
    EXPECT_TRUE(slugs.insert(cause.slug).second) << cause.slug;
    EXPECT_TRUE(std::all_of(cause.slug.begin(), cause.slug.end(), [](char c) {
      return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    })) << cause.slug;
    EXPECT_FALSE(cause.area.empty()) << cause.slug;
    EXPECT_FALSE(cause.meaning.empty()) << cause.slug;
  }
}

TEST(Causes, AreFoundBySlug) {
  const auto causes = Causes::load();
  ASSERT_NE(causes.find("wrong-interface"), nullptr);
  EXPECT_EQ(causes.find("wrong-interface")->area, "socket");
  EXPECT_NE(causes.find("rank-lost"), nullptr);
  EXPECT_EQ(causes.find("no-such-cause"), nullptr);
}

}  // namespace
}  // namespace ringwise::knowledge
