#include "base/deadline.h"

#include <algorithm>

namespace ringwise::base {

Nanoseconds Deadline::left() const {
  return std::max(Nanoseconds::zero(), std::chrono::duration_cast<Nanoseconds>(at_ - Clock::now()));
}

int Deadline::poll_ms() const {
  constexpr std::chrono::milliseconds kLongest{60'000};
  return static_cast<int>(
      std::min(std::chrono::ceil<std::chrono::milliseconds>(left()), kLongest).count());
}

}  // namespace ringwise::base
