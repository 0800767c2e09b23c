// Messages go to standard error with their prefix, as far as the level allows.
#include "base/log.h"

#include <string>

#include <gtest/gtest.h>

namespace ringwise::base {
namespace {

std::string output_at(LogLevel level) {
  const Log log("ringwise", level);
  testing::internal::CaptureStderr();
  log.error("e");
  log.warning("w");
  log.info("i");
  log.verbose("v");
  log.debug("d");
  return testing::internal::GetCapturedStderr();
}

TEST(Log, ShowsErrorsAtEveryLevel) {
  EXPECT_EQ(output_at(LogLevel::kQuiet), "ringwise: error: e\n");
}

TEST(Log, ShowsWarningsAndMessagesNormally) {
  EXPECT_EQ(output_at(LogLevel::kNormal),
            "ringwise: error: e\nringwise: warning: w\nringwise: i\n");
}

TEST(Log, ShowsMoreOnRequest) {
  EXPECT_EQ(output_at(LogLevel::kVerbose), output_at(LogLevel::kNormal) + "ringwise: v\n");
  EXPECT_EQ(output_at(LogLevel::kDebug), output_at(LogLevel::kVerbose) + "ringwise: debug: d\n");
}

}  // namespace
}  // namespace ringwise::base
