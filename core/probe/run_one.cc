#include "probe/run_one.h"

#include <exception>

#include "base/error.h"

namespace ringwise::probe {
namespace {

/// Marks what the probe had begun; a probe that failed before its first result gets one.
void mark(model::StageReport& report, const StageSpec& spec, model::Status status,
          const std::string& reason) {
  if (report.results.empty()) {
    model::Result result;
    result.probe = spec.probe;
    result.ranks = spec.ranks;
    result.mode = spec.mode;
    result.settings_name = spec.settings_name;
    result.settings = spec.settings;
    report.results.push_back(std::move(result));
  }
  for (auto& result : report.results) {
    if (result.status != model::Status::kOk) continue;
    result.status = status;
    result.reason = reason;
  }
}

model::Problem problem_of(const StageSpec& spec, const std::string& text, const ErrorPlace& place) {
  model::Problem problem;
  problem.stage = spec.probe;
  problem.rank = spec.rank;
  problem.host = spec.hosts.at(static_cast<std::size_t>(spec.rank));
  problem.interface = place.interface;
  problem.peer = place.peer;
  if (place.peer && *place.peer >= 0 && *place.peer < spec.ranks) {
    problem.peer_host = spec.hosts.at(static_cast<std::size_t>(*place.peer));
  }
  problem.step = place.step;
  problem.text = text;
  return problem;
}

}  // namespace

model::StageReport run_one(const Probe& probe, StageContext& context) {
  model::StageReport report;
  const StageSpec& spec = context.spec;
  try {
    probe.run(context, report);
  } catch (const PlacedError& error) {
    mark(report, spec, model::Status::kFailed, error.what());
    report.problems.push_back(problem_of(spec, error.what(), error.place()));
  } catch (const Error& error) {
    const bool is_absent = error.kind() == ErrorKind::kUnavailable && report.results.empty();
    mark(report, spec, is_absent ? model::Status::kSkipped : model::Status::kFailed, error.what());
    // kPeer: another rank failed first, and its report says so.
    if (!is_absent && error.kind() != ErrorKind::kPeer) {
      report.problems.push_back(problem_of(spec, error.what(), {}));
    }
  } catch (const std::exception& error) {
    const std::string text = std::string("internal error: ") + error.what();
    mark(report, spec, model::Status::kFailed, text);
    report.problems.push_back(problem_of(spec, text, {}));
  }
  return report;
}

}  // namespace ringwise::probe
