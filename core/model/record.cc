#include "model/record.h"

#include <algorithm>

#include "model/advice.h"
#include "model/comparison.h"
#include "model/finding.h"

namespace ringwise::model {

const char* to_text(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kSkipped:
      return "skipped";
    case Status::kFailed:
      return "failed";
  }
  return "failed";
}

const char* to_text(ProofState state) {
  switch (state) {
    case ProofState::kProved:
      return "proved";
    case ProofState::kContradicted:
      return "contradicted";
    case ProofState::kUnavailable:
      return "unavailable";
  }
  return "unavailable";
}

const char* to_text(AdviceState state) {
  switch (state) {
    case AdviceState::kRequired:
      return "required";
    case AdviceState::kPredicted:
      return "predicted";
    case AdviceState::kConfirmed:
      return "confirmed";
    case AdviceState::kDropped:
      return "dropped";
    case AdviceState::kUnset:
      return "unset";
  }
  return "predicted";
}

const char* to_text(Against against) {
  switch (against) {
    case Against::kBaseline:
      return "baseline";
    case Against::kBetter:
      return "better";
    case Against::kWorse:
      return "worse";
    case Against::kWithinNoise:
      return "within-noise";
    case Against::kUnknown:
      return "unknown";
  }
  return "unknown";
}

const char* to_text(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "info";
}

bool is_too_narrow(const PathMtu& path) {
  return path.route_mtu && path.forward_mtu &&
         *path.forward_mtu < std::min(*path.route_mtu, kLargestIpPacket);
}

bool has_failures(const RunRecord& record) {
  return !record.complete || !record.problems.empty() ||
         std::any_of(record.results.begin(), record.results.end(),
                     [](const Result& result) { return result.status == Status::kFailed; });
}

}  // namespace ringwise::model
