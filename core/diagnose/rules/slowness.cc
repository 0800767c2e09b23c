// Pairs that read far less than the others, where nothing says why.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"
#include "stats/percentile.h"

namespace ringwise::diagnose {
namespace {

/// Of the others' rate, below which nobody takes it for noise.
constexpr double kSlow = 0.7;

struct OfInterface {
  std::vector<PairPlace> pairs;
  std::vector<double> rates;
};

}  // namespace

void find_unexplained_slowness(const InputRun& run, model::Diagnosis& diagnosis) {
  // What was found in this run may well be why, but for what slows nothing down.
  const bool is_explained =
      std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(), [&](const auto& finding) {
        return is_of_run(finding, run) && finding.severity > model::Severity::kInfo &&
               finding.cause != "mode-mislabelled" && finding.cause != "secondary-network-unused";
      });
  if (is_explained) return;
  std::map<std::string, OfInterface> all;
  for (const auto& place : lone_pairs(*run.record)) {
    auto& here = all[base::printable(place.result->interface.value_or("?"))];
    here.pairs.push_back(place);
    here.rates.push_back(*place.pair->gbit_per_s);
  }
  for (const auto& [interface, here] : all) {
    // Half of all pairs have a part in one of two slow ends of three: the fast ones are the rule.
    const double usual = stats::percentile(here.rates, 75);
    std::vector<std::string> slow;
    double worst = usual;
    for (const auto& place : here.pairs) {
      const double rate = *place.pair->gbit_per_s;
      if (rate >= kSlow * usual) continue;
      slow.push_back(fmt::format("{} to {}", host_of(*run.record, place.pair->src),
                                 host_of(*run.record, place.pair->dst)));
      worst = std::min(worst, rate);
    }
    if (slow.empty()) continue;
    diagnosis.unknown.push_back(fmt::format(
        "{}: why {} {} on {} down to {:.3g} Gbit/s where others carry {:.3g}: no rule "
        "knows; look at the link's speed, at shaping and at other traffic there",
        run.source, listed(slow), slow.size() == 1 ? "goes" : "go", interface, worst, usual));
  }
}

}  // namespace ringwise::diagnose
