// How many operations a time budget allows; pure arithmetic that every rank does alike.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ringwise::probe {

/// One size of one variant of one configuration.
struct RingLoad {
  double op_s = 0;             ///< slowest rank's time of an operation, as last known
  std::size_t sent_bytes = 0;  ///< payload that a rank sends in one operation
  std::size_t series = 0;      ///< the same for loads that differ in size alone
  double timed_s = 0;          ///< op_s before raise_to_smaller; 0 = the same
};

struct RingIterations {
  int settle = 1;  ///< operations that directly precede the timed ones
  int timed = 3;
};

/// Fewest and most timed operations of a block.
inline constexpr int kMinTimed = 3;
inline constexpr int kMaxTimed = 3000;

/// Operations until the path is in its steady state: enough bytes to use up what a rate limiter
/// has saved in an idle moment, bounded in time for payloads that a link hardly notices.
[[nodiscard]] int settle_operations(const RingLoad& load);

/// Seconds that `blocks` blocks of the fewest operations take.
[[nodiscard]] double least_seconds(const RingLoad& load, int blocks);

/// On a machine that is busy with other work an operation waits for a processor now and then, and
/// a small one may have found it free when it was timed. None is quicker than a smaller one of its
/// series, so each gets at least the time of those; what has op_s = 0 keeps it. Payloads that use
/// up what a rate limiter has saved settle by their own time all the same.
void raise_to_smaller(std::span<RingLoad> loads);

/// Shares `left_s` evenly: each load gets its least and the same time on top in each of `blocks`
/// blocks. What has op_s = 0 is not measured and gets nothing.
[[nodiscard]] std::vector<RingIterations> plan_iterations(std::span<const RingLoad> loads,
                                                          int blocks, double left_s);

}  // namespace ringwise::probe
