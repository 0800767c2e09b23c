// rank-lost: ranks that ended or fell silent in the run, told from those that only waited for them.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {
namespace {

constexpr const char* kWhyEnded =
    "It ended or stood still by itself, or somebody made it. That others say it closed or sent "
    "nothing is the consequence.";
constexpr const char* kWhySilent =
    "It was killed or stopped, its host is down, or the control interface does not reach it. That "
    "others say it closed or sent nothing is the consequence.";

model::Finding lost(const model::RunRecord& record, const model::Problem& problem) {
  // Of many ranks the problem gives the list in its text.
  const bool is_one = problem.rank.has_value();
  const auto who = is_one ? rank_text(problem.rank, problem.host) : std::string("several ranks");
  const bool has_stage = !problem.stage.empty() && problem.stage != "run";
  auto finding =
      finding_of("rank-lost", model::Severity::kError,
                 fmt::format("{} {} lost in {}", who, is_one ? "was" : "were",
                             has_stage ? base::printable(problem.stage) : std::string("the run")));
  auto host = std::string("their hosts");
  if (problem.host) {
    host = base::printable(*problem.host);
  } else if (is_one) {
    host = host_of(record, *problem.rank);
  }
  const bool has_ended = problem.sign == "worker-ended";
  finding.settings = {
      {.name = host,
       .value = has_ended
                    ? "look for a crash, for memory that ran out (dmesg), and for who sends signals"
                    : "look whether it is up, for killed processes (dmesg), and at the control "
                      "interface",
       .where = "host"}};
  finding.why = has_ended ? kWhyEnded : kWhySilent;
  finding.confidence = has_ended ? 0.9 : 0.6;
  return finding;
}

/// Hosts whose link or path was found dead in this run: that they are silent is the consequence.
std::set<std::string> hosts_on_dead_paths(const InputRun& run, const model::Diagnosis& diagnosis) {
  const bool has_dead_path =
      std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(), [&](const auto& finding) {
        return finding.cause == "path-blackhole" && is_of_run(finding, run);
      });
  std::set<std::string> hosts;
  if (!has_dead_path) return hosts;
  for (const auto& problem : run.record->problems) {
    const auto sign = problem.sign.value_or("");
    if (sign != "link-down" && sign != "unacknowledged" && sign != "no-connection") continue;
    if (problem.host) hosts.insert(*problem.host);
    if (problem.peer_host) hosts.insert(*problem.peer_host);
  }
  return hosts;
}

}  // namespace

void find_lost_ranks(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto& record = *run.record;
  const auto explained = hosts_on_dead_paths(run, diagnosis);
  std::map<std::pair<int, std::string>, model::Finding> by_rank;
  for (std::size_t i = 0; i < record.problems.size(); ++i) {
    const auto& problem = record.problems[i];
    if (problem.sign != "worker-ended" && problem.sign != "rank-lost") continue;
    if (problem.sign == "rank-lost" && explained.contains(problem.host.value_or(""))) continue;
    const std::pair who{problem.rank.value_or(-1), problem.host.value_or("")};
    const auto found = by_rank.try_emplace(who, lost(record, problem)).first;
    found->second.evidence.push_back(
        {.file = run.source,
         .text = fmt::format("problems[{}]: {}, {}", i, base::printable(problem.stage),
                             base::printable(problem.text))});
  }
  for (auto& [who, finding] : by_rank) diagnosis.findings.push_back(std::move(finding));
}

}  // namespace ringwise::diagnose
