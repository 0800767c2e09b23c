// Deadlines: what is left of them, and which passes first.
#include "base/deadline.h"

#include <gtest/gtest.h>

namespace ringwise::base {
namespace {

using namespace std::chrono_literals;

TEST(Deadline, HasPassedWhenItsTimeIsNotInTheFuture) {
  const Deadline past(Clock::now() - 1s);
  EXPECT_TRUE(past.has_passed());
  EXPECT_EQ(past.left(), Nanoseconds::zero());
  EXPECT_EQ(past.poll_ms(), 0);
}

TEST(Deadline, HasTimeLeftBeforeItPasses) {
  const Deadline later = Deadline::after(1h);
  EXPECT_FALSE(later.has_passed());
  EXPECT_GT(later.left(), 30min);
  EXPECT_LE(later.left(), 1h);
}

TEST(Deadline, PollsAtMostAMinuteAtATime) {
  EXPECT_EQ(Deadline::after(24h).poll_ms(), 60000);
}

TEST(Deadline, EarlierIsTheOneThatPassesFirst) {
  const auto now = Clock::now();
  const Deadline first(now + 1s);
  const Deadline second(now + 2s);
  EXPECT_EQ(Deadline::earlier(first, second).at(), first.at());
  EXPECT_EQ(Deadline::earlier(second, first).at(), first.at());
}

TEST(Seconds, ConvertBothWays) {
  EXPECT_EQ(from_seconds(0.25), 250ms);
  EXPECT_DOUBLE_EQ(to_seconds(1500ms), 1.5);
}

}  // namespace
}  // namespace ringwise::base
