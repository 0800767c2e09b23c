// Which of several measured pod networks advice is given for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "recommend/evidence.h"
#include "recommend/modes.h"

namespace ringwise::recommend {

/// A mode and the complete runs that measured it.
struct MeasuredMode {
  std::string mode;
  std::vector<const model::RunRecord*> runs;
};

struct ModeChoice {
  std::string mode;                ///< empty: none is known, or all known ones are ruled out
  std::vector<std::string> notes;  ///< the numbers that decided, one line each
  /// Each other measured mode with its rate beside the chosen one's and what it would cost, or
  /// what rules it out.
  std::vector<std::string> alternatives;
  std::string reason;  ///< what rules out each, where none is left; else empty
};

/// From cheap to costly, as mode_kinds() has them. A costlier mode is taken when the low end of its
/// rate over the high end of the cheaper one's (the runs are not paired) reaches its kind's gain.
/// What `constraints` rule out is never taken.
[[nodiscard]] ModeChoice choose_mode(std::span<const Usable> usable,
                                     std::span<const MeasuredMode> measured,
                                     const Constraints& constraints);

}  // namespace ringwise::recommend
