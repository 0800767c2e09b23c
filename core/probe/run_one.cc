#include "probe/run_one.h"

#include <exception>

#include "base/error.h"
#include "probe/own_link.h"

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

}  // namespace

model::Problem problem_of(const StageSpec& spec, const Failure& failure) {
  model::Problem problem;
  problem.stage = spec.probe;
  problem.rank = spec.rank;
  problem.host = spec.hosts.at(static_cast<std::size_t>(spec.rank));
  problem.interface = failure.place.interface;
  problem.peer = failure.place.peer;
  if (failure.place.peer && *failure.place.peer >= 0 && *failure.place.peer < spec.ranks) {
    problem.peer_host = spec.hosts.at(static_cast<std::size_t>(*failure.place.peer));
  }
  problem.step = failure.place.step;
  problem.sign = failure.place.sign;
  problem.text = failure.text;
  return problem;
}

std::optional<Failure> attempt(const std::function<void()>& part) {
  try {
    part();
  } catch (const PlacedError& error) {
    return Failure{error.what(), error.place()};
  }
  return std::nullopt;
}

void keep_after(const std::function<void()>& part, const std::function<void()>& keep) {
  try {
    part();
  } catch (...) {
    keep();
    throw;
  }
  keep();
}

model::StageReport run_one(const Probe& probe, StageContext& context) {
  model::StageReport report;
  const StageSpec& spec = context.spec;
  try {
    probe.run(context, report);
  } catch (const PlacedError& error) {
    const auto failure = with_own_link(context, {error.what(), error.place()});
    mark(report, spec, model::Status::kFailed, failure.text);
    report.problems.push_back(problem_of(spec, failure));
  } catch (const Error& error) {
    const bool is_absent = error.kind() == ErrorKind::kUnavailable && report.results.empty();
    const Failure failure =
        is_absent ? Failure{error.what(), {}} : with_own_link(context, {error.what(), {}});
    mark(report, spec, is_absent ? model::Status::kSkipped : model::Status::kFailed, failure.text);
    // kPeer: another rank failed first, and its report says so, unless it is this host's fault.
    if (!is_absent && (error.kind() != ErrorKind::kPeer || failure.place.sign)) {
      report.problems.push_back(problem_of(spec, failure));
    }
  } catch (const std::exception& error) {
    const std::string text = std::string("internal error: ") + error.what();
    mark(report, spec, model::Status::kFailed, text);
    report.problems.push_back(problem_of(spec, Failure{text, {}}));
  }
  return report;
}

}  // namespace ringwise::probe
