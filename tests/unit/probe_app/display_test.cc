// What the person who waits sees, and what remains of it with -q.
#include "app/probe/display.h"

#include <gmock/gmock.h>

namespace ringwise::app {
namespace {

std::string shown(base::LogLevel level, bool is_first, bool has_failed) {
  testing::internal::CaptureStderr();
  const base::Log log("probe", level);
  Display display(log, is_first, 60);
  display.begin("tcp-pairs", 1, 2);
  display.end("tcp-pairs", has_failed ? "failed: rank 1 is gone" : "ok", has_failed);
  return testing::internal::GetCapturedStderr();
}

TEST(Display, ShowsBeginningAndEndOfAStage) {
  EXPECT_EQ(shown(base::LogLevel::kNormal, true, false),
            "probe: [1/2] tcp-pairs\nprobe: tcp-pairs: ok\n");
}

TEST(Display, ShowsOnlyFailuresWhenItShallBeQuiet) {
  EXPECT_EQ(shown(base::LogLevel::kQuiet, true, false), "");
  EXPECT_EQ(shown(base::LogLevel::kQuiet, true, true),
            "probe: error: tcp-pairs: failed: rank 1 is gone\n");
}

TEST(Display, IsRank0s) {
  EXPECT_EQ(shown(base::LogLevel::kNormal, false, true), "");
  EXPECT_EQ(shown(base::LogLevel::kQuiet, false, true), "");
}

}  // namespace
}  // namespace ringwise::app
