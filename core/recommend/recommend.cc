#include "recommend/recommend.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"
#include "recommend/registry.h"
#include "recommend/trial.h"
#include "recommend/vendor.h"

namespace ringwise::recommend {
namespace {

std::string origin_of(std::span<const InputRun> runs, const Evidence& evidence) {
  std::vector<std::string> names;
  names.reserve(runs.size());
  for (const auto& run : runs) names.push_back(base::printable(run.name));
  std::string text = base::join(names, ", ");
  if (evidence.is_complete) {
    text += fmt::format(": {} host{}, {} rank{} a host, mode {}", evidence.nodes,
                        evidence.nodes == 1 ? "" : "s", evidence.ranks_per_node,
                        evidence.ranks_per_node == 1 ? "" : "s",
                        evidence.mode.empty() ? "not known" : base::printable(evidence.mode));
  }
  return text;
}

std::vector<std::string> not_used(const Evidence& evidence) {
  std::vector<std::string> lines;
  lines.reserve(evidence.incomplete.size() + evidence.rejected.size());
  for (const auto& why : evidence.incomplete) {
    lines.push_back(why + " (nothing is drawn from a run that is not complete)");
  }
  for (const auto& rejected : evidence.rejected) {
    lines.push_back(fmt::format("{} ({}): {}", rejected.key, rejected.what, rejected.reason));
  }
  return lines;
}

}  // namespace

Recommendation recommend(std::span<const InputRun> runs, const Constraints& constraints) {
  const auto evidence = gather(runs, constraints);
  Recommendation recommendation;
  for (const auto& row : advice_rows()) {
    for (auto& advice : row.advise(evidence)) recommendation.advice.push_back(std::move(advice));
  }
  recommendation.advice = apply_verdicts(judge_trial(evidence), std::move(recommendation.advice));
  note_untried(evidence, recommendation.advice);
  yield_to(vendor_matches(evidence), recommendation.advice);
  recommendation.not_used = not_used(evidence);
  for (const auto* host : evidence.hosts) recommendation.hosts.push_back(host->host);
  // A pod drawn from no measurement would pass for advice.
  const bool is_measured = !evidence.results.empty() || !evidence.rejected.empty();
  if (evidence.is_complete && is_measured) recommendation.pod = pod_plan(evidence);
  recommendation.origin = origin_of(runs, evidence);
  recommendation.is_complete = evidence.is_complete;
  const bool has_noise = std::any_of(evidence.rejected.begin(), evidence.rejected.end(),
                                     [](const auto& one) { return one.is_inconclusive; });
  const bool is_all_noise = has_noise && evidence.results.empty();
  recommendation.is_inconclusive = is_all_noise || !is_measured;
  return recommendation;
}

}  // namespace ringwise::recommend
