// wrong-data: what arrived is not what was sent, or sums came out wrong.
#include <string>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {
namespace {

std::string place_of(const model::Problem& problem) {
  const auto here = rank_text(problem.rank, problem.host);
  if (!problem.peer) return "data is wrong on " + here;
  return fmt::format("data is changed on {} or on the way from it to {}{}",
                     rank_text(problem.peer, problem.peer_host), here,
                     problem.interface ? " on " + base::printable(*problem.interface) : "");
}

}  // namespace

void find_wrong_data(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto& record = *run.record;
  std::vector<model::FindingEvidence> evidence;
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    const auto& result = record.results[i];
    for (const auto& size : result.sizes) {
      if (size.wrong.value_or(0) == 0) continue;
      evidence.push_back({.file = run.source,
                          .text = fmt::format("results[{}] ({}), {}: {} wrong elements", i,
                                              base::printable(result.probe),
                                              base::format_bytes(size.bytes), *size.wrong)});
      break;
    }
  }
  std::string title;
  for (const auto& problem : record.problems) {
    if (problem.sign != "wrong-data") continue;
    if (title.empty()) title = place_of(problem);
    evidence.push_back({.file = run.source,
                        .text = fmt::format("{}, {}: {}", base::printable(problem.stage),
                                            rank_text(problem.rank, problem.host),
                                            base::printable(problem.text))});
  }
  if (evidence.empty()) return;
  auto finding = finding_of("wrong-data", model::Severity::kError,
                            title.empty() ? "sums or copies came out wrong" : title);
  finding.evidence = std::move(evidence);
  finding.settings = {{.name = "memory, NIC and links of the hosts named",
                       .value = "take them out of the job and test them",
                       .where = "host"}};
  finding.why =
      "Training on such a host goes on without an error and with wrong gradients. TCP's own "
      "checksum does not see what memory or a device changes.";
  finding.confidence = 0.95;
  diagnosis.findings.push_back(std::move(finding));
}

}  // namespace ringwise::diagnose
