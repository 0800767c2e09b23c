// Tests of what --version prints.
#include "app/version.h"

#include <gmock/gmock.h>

namespace ringwise::app {
namespace {

TEST(Version, NamesTheProgramTheVersionAndEveryFeature) {
  const auto text = version_text("ringwise-x");
  EXPECT_TRUE(text.starts_with("ringwise-x " + std::string(version()) + "\n"));
  EXPECT_FALSE(features().empty());
  std::size_t built = 0;
  for (const auto& feature : features()) {
    EXPECT_THAT(text, ::testing::HasSubstr(std::string(feature.name)));
    built += feature.is_built ? 1 : 0;
  }
  EXPECT_EQ(feature_names().size(), built);
}

}  // namespace
}  // namespace ringwise::app
