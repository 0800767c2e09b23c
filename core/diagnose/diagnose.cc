#include "diagnose/diagnose.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {

std::span<const Rule> rules() {
  static constexpr std::array<Rule, 12> kRows{{
      {"wrong-data", "elements came out wrong", find_wrong_data},
      {"mtu-hole", "large packets do not arrive where the kernel sends them", find_mtu_holes},
      {"dead-path", "traffic between two hosts disappears", find_dead_paths},
      {"rank-lost", "ranks that ended or fell silent in the run", find_lost_ranks},
      {"other-path", "the counters show another interface than the measured one", find_other_paths},
      {"packet-loss", "retransmits, and the hosts that stand out with them", find_packet_loss},
      {"flow-limit", "one TCP stream cannot fill the path", find_flow_limits},
      {"lowered-route", "routes of some hosts have a smaller MTU than those of the others",
       find_lowered_routes},
      {"offload-off", "an offload is off on some hosts and on on others", find_offloads_off},
      {"unused-network", "an attached secondary network was not used", find_unused_networks},
      {"wrong-label", "the label of the mode contradicts what host or pod show", find_wrong_labels},
      {"slowness", "pairs that read far less than the others, unexplained",
       find_unexplained_slowness},
  }};
  return kRows;
}

namespace {

bool has_numbers(const model::Result& result) {
  return std::any_of(result.sizes.begin(), result.sizes.end(),
                     [](const auto& size) { return size.samples > 0 || size.busbw_gbyte_per_s; }) ||
         std::any_of(result.pairs.begin(), result.pairs.end(),
                     [](const auto& pair) { return pair.gbit_per_s.has_value(); });
}

/// What the run broke off by, or where that stands.
std::string first_problem(const model::RunRecord& record) {
  if (record.problems.empty()) return ": see ringwise report";
  const auto& problem = record.problems.front();
  return fmt::format(": {}, {}: {}; ringwise report has the rest", base::printable(problem.stage),
                     rank_text(problem.rank, problem.host), base::printable(problem.text));
}

}  // namespace

bool has_measurements(const model::RunRecord& record) {
  return std::any_of(record.results.begin(), record.results.end(), has_numbers);
}

model::Diagnosis diagnose(std::span<const InputRun> runs) {
  model::Diagnosis diagnosis;
  for (InputRun run : runs) {
    run.others = runs;
    const auto& results = run.record->results;
    const bool has_network = std::any_of(results.begin(), results.end(), [](const auto& result) {
      const bool is_inside_host = result.transport == "shm" || result.transport == "memory";
      return result.nodes > 1 && !is_inside_host && has_numbers(result);
    });
    if (!has_measurements(*run.record)) {
      diagnosis.unknown.push_back(run.source + ": nothing was measured");
    } else if (!has_network) {
      diagnosis.unknown.push_back(run.source + ": no traffic between hosts was measured");
    }
    if (!run.record->complete) {
      diagnosis.unknown.push_back(run.source + ": the run is not complete" +
                                  first_problem(*run.record));
    }
    for (const auto& rule : rules()) {
      const auto before = diagnosis.findings.size();
      rule.apply(run, diagnosis);
      for (auto i = before; i < diagnosis.findings.size(); ++i) {
        diagnosis.findings[i].rule = rule.name;
      }
    }
  }
  std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                   [](const auto& a, const auto& b) {
                     if (a.severity != b.severity) return a.severity > b.severity;
                     return a.confidence > b.confidence;
                   });
  return diagnosis;
}

}  // namespace ringwise::diagnose
