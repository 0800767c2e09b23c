// Which of several measured pod networks advice is given for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "recommend/evidence.h"

namespace ringwise::recommend {

struct ModeChoice {
  std::string mode;                ///< family
  std::vector<std::string> notes;  ///< the numbers that decided, one line each
};

/// What a mode has to gain over the next cheaper one to be worth its cost, beyond its interval.
inline constexpr double kMultusGain = 1.03;
inline constexpr double kHostGain = 1.10;

/// From cheap to costly: overlay, secondary networks, hostNetwork. A costlier mode is taken when
/// the low end of its rate over the high end of the cheaper one's (the runs are not paired)
/// reaches the gain above. `measured` are the modes of the complete runs: with one, that is it.
[[nodiscard]] ModeChoice choose_mode(std::span<const Usable> usable,
                                     std::span<const std::string> measured);

}  // namespace ringwise::recommend
