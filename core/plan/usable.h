// Whether anything may be drawn from a result: what advice, comparisons and verdicts ask first.
#pragma once

#include <optional>
#include <string>

#include "model/record.h"

namespace ringwise::plan {

/// Background traffic above this share of the link makes a result inconclusive, as it does in the
/// probe's guard.
inline constexpr double kBackgroundLimit = 0.02;

/// Why nothing may be drawn from this result as a whole; empty when it may be used.
struct Unfit {
  std::string reason;
  bool is_inconclusive = false;
};
[[nodiscard]] std::optional<Unfit> unfit(const model::Result& result);

/// Verified, nothing wrong, and blocks enough for an interval.
[[nodiscard]] bool is_usable(const model::SizeResult& size);

}  // namespace ringwise::plan
