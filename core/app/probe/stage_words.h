// What the supervisors of a stage say to each other in each round: one character, then a body.
#pragma once

#include "comm/frames.h"

namespace ringwise::app {

/// A rank to rank 0: its worker's exchange (the frame types kGather and kMax), its report, its
/// failure (failure_text), or that one of the two was delivered earlier.
inline constexpr char kSaysGather = static_cast<char>(comm::FrameType::kGather);
inline constexpr char kSaysMax = static_cast<char>(comm::FrameType::kMax);
inline constexpr char kSaysReport = static_cast<char>(comm::FrameType::kReport);
inline constexpr char kSaysFailure = 'F';
inline constexpr char kSaysDelivered = 'D';

/// Rank 0's answer: what every worker that waits gets (the frame types kReply, kPartial and
/// kAbort), or that the stage is over.
inline constexpr char kAnswersReply = static_cast<char>(comm::FrameType::kReply);
inline constexpr char kAnswersPartial = static_cast<char>(comm::FrameType::kPartial);
inline constexpr char kAnswersAbort = static_cast<char>(comm::FrameType::kAbort);
inline constexpr char kAnswersEnd = 'E';

}  // namespace ringwise::app
