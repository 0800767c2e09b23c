// Integers as NCCL reads them, with a note where a person would read another number.
#include "plan/nccl_integer.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::plan {
namespace {

using ::testing::HasSubstr;

struct Case {
  const char* text;
  std::int64_t value;
  const char* note;  ///< part of it; "" = no note
};

class NcclIntegerText : public ::testing::TestWithParam<Case> {};

TEST_P(NcclIntegerText, IsReadByStrtollWithBaseZero) {
  const auto read = nccl_integer(std::string(GetParam().text), 7);
  EXPECT_EQ(read.value, GetParam().value);
  EXPECT_TRUE(read.is_set);
  if (*GetParam().note == '\0') {
    EXPECT_EQ(read.note, "");
  } else {
    EXPECT_THAT(read.note, HasSubstr(GetParam().note));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, NcclIntegerText,
    ::testing::Values(Case{"16", 16, ""}, Case{" 16", 16, ""}, Case{"-2", -2, ""},
                      Case{"0x10", 16, ""}, Case{"0", 0, ""}, Case{"010", 8, "octal"},
                      Case{"22ms", 22, "stops at 'ms'"}, Case{"1,5", 1, "stops at ',5'"},
                      Case{"4M", 4, "read as 4"}, Case{"abc", 0, "reads it as 0"},
                      Case{"true", 0, "reads it as 0"}, Case{" ", 0, "reads it as 0"}));

TEST(NcclInteger, EmptyAndAbsentAreUnset) {
  for (const auto& text : {std::optional<std::string>(), std::optional<std::string>("")}) {
    const auto read = nccl_integer(text, 7);
    EXPECT_EQ(read.value, 7);
    EXPECT_FALSE(read.is_set);
    EXPECT_EQ(read.note, "");
  }
}

TEST(NcclInteger, TooLargeGivesTheDefault) {
  const auto read = nccl_integer(std::string("99999999999999999999"), 7);
  EXPECT_EQ(read.value, 7);
  EXPECT_FALSE(read.is_set);
  EXPECT_THAT(read.note, HasSubstr("64 bits"));
}

TEST(NcclInteger, FromAnEnvironmentNamesTheVariable) {
  const auto read = nccl_integer(Environment{{"NCCL_BUFFSIZE", "4M"}}, "NCCL_BUFFSIZE", -2);
  EXPECT_EQ(read.value, 4);
  EXPECT_THAT(read.note, HasSubstr("NCCL_BUFFSIZE=4M is read as 4"));
  EXPECT_EQ(nccl_integer(Environment{}, "NCCL_BUFFSIZE", -2).value, -2);
}

}  // namespace
}  // namespace ringwise::plan
