// What a --settings trial says about each variable that it set.
#pragma once

#include <string>
#include <vector>

#include "model/advice.h"
#include "recommend/evidence.h"
#include "recommend/gain.h"

namespace ringwise::recommend {

/// Only sizes from here on count, or from kTrialAtLeast where none of them was measured: below, a
/// setting changes latency, not bandwidth, and a mean over small sizes hides what the large ones
/// gain.
inline constexpr std::uint64_t kTrialFrom = std::uint64_t{4} << 20;
inline constexpr std::uint64_t kTrialAtLeast = std::uint64_t{1} << 20;

enum class Outcome {
  kGain,    ///< confirmed
  kNoGain,  ///< neither better nor worse beyond the interval, or not told apart from the rest
  kLoss,    ///< worse beyond the interval, or its set failed
};

struct Verdict {
  std::string name;  ///< of the variable
  std::string value;
  Outcome outcome = Outcome::kNoGain;
  std::optional<Gain> gain;
  std::string reason;  ///< with the numbers
  std::vector<std::string> evidence;
};

/// Empty when the records hold no trial. A variable gains when some set that holds it beats the
/// default beyond the interval and leaving it out of its file's set loses beyond the interval; a
/// file of one variable is its own proof, and of a file with too many to be left out in turn the
/// set is judged as a whole. Sorted by name.
[[nodiscard]] std::vector<Verdict> judge_trial(const Evidence& evidence);

/// The advice with the verdicts on it. A gain makes it confirmed (and adds lines that no row
/// proposed), anything else drops it; what correctness requires is dropped by a loss only.
[[nodiscard]] std::vector<model::Advice> apply_verdicts(const std::vector<Verdict>& verdicts,
                                                        std::vector<model::Advice> advices);

}  // namespace ringwise::recommend
