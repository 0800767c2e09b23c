// Tests of single values out of JSON text from outside.
#include "system/json_values.h"

#include <string>

#include <gtest/gtest.h>

namespace ringwise::system {
namespace {

TEST(JsonValues, TakesTextThatIsSafeToPrint) {
  const nlohmann::json object{{"a", "x\x1b"}, {"b", ""}, {"c", 3}, {"d", std::string(999, 'x')}};
  EXPECT_EQ(text_of(object, "a")->find('\x1b'), std::string::npos);
  EXPECT_FALSE(text_of(object, "b"));
  EXPECT_FALSE(text_of(object, "c"));
  EXPECT_EQ(text_of(object, "d")->size(), 256U);
  EXPECT_FALSE(text_of(object, "e"));
  EXPECT_FALSE(text_of(nlohmann::json(3), "a"));
}

TEST(JsonValues, TakesWholeNumbersThatFit) {
  const nlohmann::json object{{"a", 5}, {"b", -5}, {"c", 1.5}, {"d", 99999999999}, {"e", "5"}};
  EXPECT_EQ(number_of(object, "a"), 5);
  EXPECT_EQ(number_of(object, "b"), -5);
  for (const char* key : {"c", "d", "e", "f"}) EXPECT_FALSE(number_of(object, key)) << key;
  EXPECT_FALSE(number_of(nlohmann::json::array(), "a"));
  EXPECT_EQ(positive_of(object, "a"), 5);
  EXPECT_FALSE(positive_of(object, "b"));
}

}  // namespace
}  // namespace ringwise::system
