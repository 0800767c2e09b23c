// Tests of tables and wrapped text.
#include "report/table.h"

#include <gtest/gtest.h>

namespace ringwise::report {
namespace {

TEST(TextTable, AlignsColumnsAndTrimsLines) {
  EXPECT_EQ(
      text_table({{"name", Align::kLeft}, {"n"}}, {{"a", "100"}, {"long name", "1"}, {"x"}}, 2),
      "  name         n\n"
      "  a          100\n"
      "  long name    1\n"
      "  x\n");
}

TEST(TextTable, CountsCharactersAndNotBytes) {
  EXPECT_EQ(text_table({{"µs"}}, {{"1"}}, 0), "µs\n 1\n");
}

TEST(Wrapped, BreaksAtBlanksAndIndents) {
  EXPECT_EQ(wrapped("one two three", 4, 2, 10), "one\n  two\n  three");
  EXPECT_EQ(wrapped("averyverylongword x", 0, 2, 10), "averyverylongword\n  x");
  EXPECT_EQ(wrapped("", 0, 2, 10), "");
}

}  // namespace
}  // namespace ringwise::report
