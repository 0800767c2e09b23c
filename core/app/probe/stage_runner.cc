#include "app/probe/stage_runner.h"

#include <algorithm>

#include "app/probe/local_stage.h"
#include "app/probe/referee.h"
#include "app/probe/stage_words.h"
#include "probe/registry.h"

namespace ringwise::app {
namespace {

/// How much longer the others wait for rank 0: until it has told them, written the record and
/// ended the run.
constexpr std::chrono::seconds kAnswerGrace{3};
constexpr std::chrono::seconds kShortestConfirmation{2};
constexpr std::chrono::seconds kLongestConfirmation{10};

/// Before a rank that waits for its answer gives up, and before the others miss the next stage.
base::Deadline confirm_by(base::Deadline gather_by) {
  const auto now = base::Clock::now();
  return base::Deadline(
      std::clamp(gather_by.at(), now + kShortestConfirmation, now + kLongestConfirmation));
}

}  // namespace

StageOutcome run_stage(comm::ControlPlane& plane, const probe::StageSpec& spec,
                       const StageEvents& events) {
  const auto* row = probe::find_probe(spec.probe);
  const bool goes_on = row != nullptr && row->survives_lost_ranks;
  LocalStage local(spec, events, goes_on);
  Referee referee(spec, goes_on);
  // Rank 0 gives up on silent ranks first, so that it can still say so to the others.
  const base::Deadline gather_by(local.deadline().at() + kStageGrace);
  const base::Deadline answer_by(gather_by.at() + kAnswerGrace);
  while (true) {
    auto texts = plane.gather(local.contribution(), gather_by);
    const std::string reply =
        plane.broadcast(plane.rank() == 0 ? referee.decide(texts) : "", answer_by);
    if (!reply.empty() && reply[0] != kAnswersEnd) {
      local.answer(reply);
      continue;
    }
    if (!referee.is_lost()) referee.confirm(plane.gather("", confirm_by(gather_by)));
    return referee.take_outcome();
  }
}

}  // namespace ringwise::app
