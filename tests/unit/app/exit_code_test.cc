// Tests of the exit code table.
#include "app/exit_code.h"

#include <gmock/gmock.h>

namespace ringwise::app {
namespace {

TEST(ExitCodes, AreAscendingAndEachHasAMeaning) {
  int last = -1;
  for (const auto& row : exit_codes()) {
    EXPECT_GT(static_cast<int>(row.code), last);
    EXPECT_FALSE(row.meaning.empty());
    EXPECT_THAT(exit_codes_help(), ::testing::HasSubstr(std::string(row.meaning)));
    last = static_cast<int>(row.code);
  }
  EXPECT_EQ(last, 77);
}

TEST(ExitCodes, FollowTheKindOfError) {
  EXPECT_EQ(exit_code_of(ErrorKind::kUsage), ExitCode::kUsage);
  EXPECT_EQ(exit_code_of(ErrorKind::kRefused), ExitCode::kRefused);
  for (const auto kind : {ErrorKind::kUnavailable, ErrorKind::kTimeout, ErrorKind::kPeer,
                          ErrorKind::kSystem, ErrorKind::kInternal}) {
    EXPECT_EQ(exit_code_of(kind), ExitCode::kNotMeasured);
  }
}

}  // namespace
}  // namespace ringwise::app
