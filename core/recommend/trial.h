// What a --settings trial says about each variable that it set.
#pragma once

#include <string>
#include <vector>

#include "model/advice.h"
#include "plan/gain.h"
#include "recommend/evidence.h"

namespace ringwise::recommend {

enum class Outcome {
  kGain,          ///< confirmed
  kNoGain,        ///< a gain worth setting it for is out of the interval, or others make it
  kInconclusive,  ///< the interval holds both no gain and one worth setting it for
  kLoss,          ///< worse beyond the interval, or its set failed
};

struct Verdict {
  std::string name;  ///< of the variable
  std::string value;
  Outcome outcome = Outcome::kNoGain;
  std::optional<plan::Gain> gain;
  std::string reason;  ///< with the numbers
  std::vector<std::string> evidence;
};

/// Empty when the records hold no trial. Variables that the ring does not act on
/// (plan/ring_variables.h) get no verdict, whatever was measured with them. A variable gains when
/// some set that holds it beats the default beyond the interval and leaving it out of its file's
/// set loses beyond the interval; a file of one variable is its own proof, and of a file with too
/// many to be left out in turn the set is judged as a whole. Sorted by name.
[[nodiscard]] std::vector<Verdict> judge_trial(const Evidence& evidence);

/// Says of the settings that no trial of the ring can judge that they were not tried, where the
/// records hold a trial.
void note_untried(const Evidence& evidence, std::vector<model::Advice>& advices);

/// The advice with the verdicts on it. A gain makes it confirmed (and adds lines that no row
/// proposed); no gain and a loss drop it, an inconclusive trial leaves it as it was; what
/// correctness requires is dropped by a loss only. NCCL_SOCKET_NTHREADS and NCCL_NSOCKS_PERTHREAD
/// come from one measurement: without one the other is dropped, too.
[[nodiscard]] std::vector<model::Advice> apply_verdicts(const std::vector<Verdict>& verdicts,
                                                        std::vector<model::Advice> advices);

}  // namespace ringwise::recommend
