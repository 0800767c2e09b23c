// Points in monotonic time after which waiting stops.
#pragma once

#include <chrono>

namespace ringwise::base {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::nanoseconds;

class Deadline {
 public:
  /// Passes `span` from now.
  static Deadline after(Nanoseconds span) { return Deadline(Clock::now() + span); }
  explicit Deadline(Clock::time_point at) : at_(at) {}

  [[nodiscard]] bool has_passed() const { return Clock::now() >= at_; }
  /// Time left, never negative.
  [[nodiscard]] Nanoseconds left() const;
  /// Time left as poll(2) takes it: whole milliseconds, rounded up, 0 when it has passed.
  [[nodiscard]] int poll_ms() const;
  [[nodiscard]] Clock::time_point at() const { return at_; }
  /// The one of the two that passes first.
  [[nodiscard]] static Deadline earlier(Deadline a, Deadline b) { return a.at_ < b.at_ ? a : b; }

 private:
  Clock::time_point at_;
};

/// Seconds as a double, for messages and records.
[[nodiscard]] inline double to_seconds(Nanoseconds span) {
  return std::chrono::duration<double>(span).count();
}
[[nodiscard]] inline Nanoseconds from_seconds(double seconds) {
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace ringwise::base
