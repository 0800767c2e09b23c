// path-blackhole: an interface that is down, a host that nobody reaches, a path that is dead.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {
namespace {

using Ends = std::set<std::string>;  ///< two hosts, printable

/// What tcp-pairs saw between two hosts.
struct Between {
  int good = 0;             ///< directions in which data moved
  bool is_tried = false;    ///< a pair was measured or failed
  bool has_passed = false;  ///< something got through at some time
  bool is_narrow = false;   ///< large packets are lost: small ones do get through

  /// A path that moved data both ways in the same run is lossy or slow, and not dead.
  [[nodiscard]] bool is_alive() const { return good >= 2 || is_narrow; }
};

bool is_part_of(const std::optional<std::string>& interface, const model::Result& result) {
  if (!interface || !result.interface) return true;
  for (const auto& part : base::split(*result.interface, '|')) {
    const auto names = base::split(part, ',');
    if (std::find(names.begin(), names.end(), *interface) != names.end()) return true;
  }
  return false;
}

std::map<Ends, Between> seen_by_pairs(const model::RunRecord& record,
                                      const std::optional<std::string>& interface) {
  std::map<Ends, Between> seen;
  for (const auto& [result, pair, key] : one_way_pairs(record)) {
    if (!is_part_of(interface, *result)) continue;
    auto& between = seen[{host_of(record, pair->src), host_of(record, pair->dst)}];
    if (pair->status == model::Status::kOk && pair->gbit_per_s) ++between.good;
    if (pair->status != model::Status::kSkipped) between.is_tried = true;
    const bool has_path = pair->path && pair->path->forward_mtu;
    between.has_passed = between.has_passed || pair->gbit_per_s || pair->latency_us_p50 || has_path;
    if (pair->path && model::is_too_narrow(*pair->path)) between.is_narrow = true;
  }
  return seen;
}

/// What was seen of two hosts that do not reach each other.
struct DeadPath {
  Ends ends;
  std::vector<model::FindingEvidence> evidence;
  bool has_passed = false;
  bool was_connected = false;
};

/// On one interface.
struct DeadPaths {
  std::vector<DeadPath> paths;
  bool do_others_work = false;  ///< some pair was measured
  std::set<std::string> alive;  ///< hosts with a pair that works
};

std::string on(const std::string& interface) {
  return interface.empty() ? std::string() : " on " + interface;
}

model::Finding finding_of(std::string title, std::string setting, std::string value,
                          double confidence) {
  return {.cause = "path-blackhole",
          .severity = model::Severity::kError,
          .title = std::move(title),
          .settings = {{.name = std::move(setting), .value = std::move(value), .where = "fabric"}},
          .why = {},
          .confidence = confidence,
          .rule = {}};
}

/// The end that all dead paths have in common, when they are several and it reaches nobody.
std::string cut_off_host(const DeadPaths& dead) {
  if (dead.paths.size() < 2) return {};
  for (const auto& host : dead.paths.front().ends) {
    const bool is_common =
        std::all_of(dead.paths.begin(), dead.paths.end(),
                    [&](const DeadPath& path) { return path.ends.contains(host); });
    if (is_common && !dead.alive.contains(host)) return host;
  }
  return {};
}

model::Finding cut_off(const std::string& host, const std::string& interface,
                       const DeadPaths& dead) {
  auto finding = finding_of(fmt::format("{} of {} is cut off", interface, host), "link of " + host,
                            "check interface, cable or attachment, switch port and firewall", 0.8);
  if (interface.empty()) finding.title = host + " is cut off";
  for (const auto& path : dead.paths) {
    finding.evidence.insert(finding.evidence.end(), path.evidence.begin(), path.evidence.end());
  }
  finding.why = fmt::format("No other host reaches it{}.",
                            dead.do_others_work ? ", while other pairs work" : "");
  return finding;
}

/// No more than was seen: a connection is made of packets that got through, and one that does not
/// come about within seconds may be one whose first packets were lost.
std::string title_of(const DeadPath& path, const std::string& interface) {
  const auto between = fmt::format(
      "between {}{}", base::join({path.ends.begin(), path.ends.end()}, " and "), on(interface));
  return path.has_passed || path.was_connected
             ? fmt::format("traffic {} stays unanswered, after some got through", between)
             : fmt::format("no connection comes about {}", between);
}

model::Finding dead_path(const DeadPath& path, const std::string& interface, bool do_others_work) {
  auto finding = finding_of(title_of(path, interface), "path between these hosts",
                            "check firewall, NetworkPolicy, routes and switch ports",
                            path.has_passed ? 0.6 : 0.8);
  finding.evidence = path.evidence;
  finding.why = fmt::format(
      "What one end sends gets no answer for seconds{}{}.",
      path.has_passed ? ": the path broke in the run, or it loses or delays most packets" : "",
      do_others_work ? ", while other pairs work" : "");
  return finding;
}

/// Adds what the hosts say of their own interfaces; the hosts that do.
std::set<std::string> add_links_down(const InputRun& run, model::Diagnosis& diagnosis) {
  std::map<std::string, model::Finding> by_host;
  for (std::size_t i = 0; i < run.record->problems.size(); ++i) {
    const auto& problem = run.record->problems[i];
    if (problem.sign != "link-down" || !problem.host) continue;
    const auto host = base::printable(*problem.host);
    const auto text = base::printable(problem.text);
    auto& finding = by_host[host];
    auto evidence = std::move(finding.evidence);
    evidence.push_back({.file = run.source, .text = fmt::format("problems[{}]: {}", i, text)});
    if (finding.cause.empty()) {
      const auto fault = text.substr(0, text.find(" on this host"));
      const auto interface = fault.substr(0, fault.find(' '));
      finding =
          finding_of(fmt::format("{} of {} is cut off: {}", interface, host, fault),
                     fmt::format("{} of {}", interface, host),
                     "check who takes it down, its cable or attachment, and its address", 0.95);
      finding.why =
          "The host itself found its interface so when its connections stalled. What its "
          "neighbours say of it, and it of them, is the consequence.";
    }
    finding.evidence = std::move(evidence);
  }
  std::set<std::string> hosts;
  for (auto& [host, finding] : by_host) {
    hosts.insert(host);
    diagnosis.findings.push_back(std::move(finding));
  }
  return hosts;
}

using DeadByInterface = std::map<std::string, std::map<Ends, DeadPath>>;

/// `down`: hosts whose own interface is at fault. What does not decide is added to `unsure`.
DeadByInterface dead_paths(const InputRun& run, const std::set<std::string>& down,
                           std::set<std::string>& unsure) {
  const auto& record = *run.record;
  DeadByInterface by_interface;
  for (std::size_t i = 0; i < record.problems.size(); ++i) {
    const auto& problem = record.problems[i];
    const bool is_slow = problem.sign == "slow";
    if (problem.sign != "unacknowledged" && problem.sign != "no-connection" && !is_slow) continue;
    if (!problem.host || !problem.peer_host || problem.host == problem.peer_host) continue;
    const Ends ends{base::printable(*problem.host), base::printable(*problem.peer_host)};
    if (std::any_of(ends.begin(), ends.end(),
                    [&](const auto& end) { return down.contains(end); })) {
      continue;
    }
    const auto between = seen_by_pairs(record, problem.interface)[ends];
    if (between.is_alive()) continue;
    const auto names = base::join({ends.begin(), ends.end()}, " and ");
    if (is_slow) {
      unsure.insert(names +
                    " answer each other too slowly for the stage: a lowered rate or heavy "
                    "loss; measure with a longer --stage-timeout");
      continue;
    }
    // There was a connection, so small packets passed then.
    if (!between.is_tried && problem.sign == "unacknowledged") {
      unsure.insert(names +
                    " were connected, and what was sent got no answer: large packets are "
                    "lost, or the path broke; run ringwise-probe with --probes tcp-pairs");
      continue;
    }
    auto& path = by_interface[base::printable(problem.interface.value_or(""))][ends];
    path.ends = ends;
    path.has_passed = between.has_passed;
    path.was_connected = path.was_connected || problem.sign == "unacknowledged";
    path.evidence.push_back(
        {.file = run.source,
         .text = fmt::format("problems[{}]: {}", i, base::printable(problem.text))});
  }
  return by_interface;
}

}  // namespace

void find_dead_paths(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto& record = *run.record;
  const auto down = add_links_down(run, diagnosis);
  std::set<std::string> unsure;
  for (const auto& [interface, paths] : dead_paths(run, down, unsure)) {
    DeadPaths dead;
    for (const auto& [ends, path] : paths) dead.paths.push_back(path);
    for (const auto& [ends, between] :
         seen_by_pairs(record, interface.empty() ? std::nullopt : std::optional(interface))) {
      if (!between.is_alive() || ends.size() < 2) continue;
      dead.do_others_work = true;
      dead.alive.insert(ends.begin(), ends.end());
    }
    if (const auto host = cut_off_host(dead); !host.empty()) {
      diagnosis.findings.push_back(cut_off(host, interface, dead));
      continue;
    }
    for (const auto& path : dead.paths) {
      diagnosis.findings.push_back(dead_path(path, interface, dead.do_others_work));
    }
  }
  for (const auto& text : unsure) diagnosis.unknown.push_back(run.source + ": " + text);
}

}  // namespace ringwise::diagnose
