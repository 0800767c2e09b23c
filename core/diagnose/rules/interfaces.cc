// wrong-interface, secondary-network-unused, mode-mislabelled, path-blackhole.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"
#include "model/mode_label.h"

namespace ringwise::diagnose {
namespace {

bool is_secondary(const model::Interface& interface) {
  return interface.mode && interface.is_running && !interface.addresses.empty() &&
         (interface.mode->starts_with("multus-") || interface.mode == "gke-multinet");
}

/// Interfaces that any result of the run was measured over.
std::set<std::string> used_interfaces(const model::RunRecord& record) {
  std::set<std::string> used;
  for (const auto& result : record.results) {
    for (const auto& part : base::split(result.interface.value_or(""), '|')) {
      for (const auto& name : base::split(part, ',')) used.insert(name);
    }
  }
  for (const auto& rank : record.ranks) used.insert(rank.interfaces.begin(), rank.interfaces.end());
  return used;
}

bool is_measured_over_tcp(const model::RunRecord& record) {
  return std::any_of(record.results.begin(), record.results.end(), [](const auto& result) {
    return result.transport == "tcp" && result.nodes > 1;
  });
}

/// What tcp-pairs saw between two hosts.
struct Between {
  int good = 0;            ///< directions in which data moved
  bool is_tried = false;   ///< a pair was measured or failed
  bool is_narrow = false;  ///< large packets are lost: small ones do get through

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

Between between(const model::RunRecord& record, const model::Problem& problem) {
  const std::set<std::string> ends{base::printable(*problem.host),
                                   base::printable(*problem.peer_host)};
  Between seen;
  for (const auto& [result, pair, key] : one_way_pairs(record)) {
    const std::set<std::string> hosts{host_of(record, pair->src), host_of(record, pair->dst)};
    if (hosts != ends || !is_part_of(problem.interface, *result)) continue;
    if (pair->status == model::Status::kOk && pair->gbit_per_s) ++seen.good;
    if (pair->status != model::Status::kSkipped) seen.is_tried = true;
    if (pair->path && model::is_too_narrow(*pair->path)) seen.is_narrow = true;
  }
  return seen;
}

/// Interfaces that were measured in turn: the label can be right for one of them only.
bool has_several_interfaces(const model::RunRecord& record) {
  std::set<std::string> names;
  for (const auto& result : record.results) {
    if (result.probe == "tcp-allreduce" && result.interface) names.insert(*result.interface);
  }
  return names.size() > 1;
}

}  // namespace

void find_other_paths(const InputRun& run, model::Diagnosis& diagnosis) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < run.record->results.size(); ++i) {
    const auto& result = run.record->results[i];
    if (result.path_proof.state != model::ProofState::kContradicted) continue;
    const auto interface = base::printable(result.interface.value_or("?"));
    if (!seen.insert(interface).second) continue;
    auto finding = finding_of("wrong-interface", model::Severity::kError,
                              fmt::format("the bytes did not go over {}", interface));
    finding.evidence = {{.file = run.source,
                         .text = fmt::format("results[{}].path_proof: {}", i,
                                             base::printable(result.path_proof.reason))}};
    finding.why =
        "The interface's counters did not grow by what was sent: a route or a second "
        "address of the same network sends it elsewhere.";
    if (const auto& carrier = result.path_proof.carried_by) {
      const auto name = base::printable(*carrier);
      finding.title += ", but over " + name;
      finding.settings = {{.name = "NCCL_SOCKET_IFNAME", .value = "=" + name, .where = "env"}};
      finding.why += fmt::format(" That is the network which the job uses. To use {}:", interface);
    } else {
      finding.why += fmt::format(" To use {}:", interface);
    }
    finding.settings.push_back({.name = fmt::format("routes of {}", interface),
                                .value = "ip route get PEER from ADDRESS has to name " + interface,
                                .where = "host"});
    finding.why +=
        " remove the route, or give several interfaces of one network source-based routing.";
    finding.confidence = 0.9;
    diagnosis.findings.push_back(std::move(finding));
  }
}

void find_unused_networks(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto& record = *run.record;
  if (!is_measured_over_tcp(record)) return;
  const auto used = used_interfaces(record);
  std::map<std::string, std::vector<std::string>> unused;  // interface to hosts
  std::map<std::string, std::string> kinds;
  for (const auto& host : record.hosts) {
    for (const auto& interface : host.interfaces) {
      if (!is_secondary(interface) || used.contains(interface.name)) continue;
      unused[base::printable(interface.name)].push_back(base::printable(host.host));
      kinds[base::printable(interface.name)] = base::printable(*interface.mode);
    }
  }
  // Who labels a run measured another mode on purpose.
  const bool is_on_purpose = record.mode.label && !model::label_contradiction(record.mode) &&
                             !record.mode.label->starts_with("multus");
  for (const auto& [name, hosts] : unused) {
    auto finding = finding_of("secondary-network-unused",
                              is_on_purpose ? model::Severity::kInfo : model::Severity::kWarning,
                              fmt::format("{} ({}) is attached to {} and was not used", name,
                                          kinds[name], listed(hosts)));
    finding.evidence = {
        {.file = run.source,
         .text = fmt::format("hosts[{}].interfaces[{}].mode: {}; measured over {}", hosts.front(),
                             name, kinds[name],
                             base::printable(base::join({used.begin(), used.end()}, ", ")))}};
    finding.settings = {{.name = "NCCL_SOCKET_IFNAME", .value = "=" + name, .where = "env"}};
    finding.why =
        "NCCL uses a secondary network only when it is named, or when its own rule "
        "takes it too. Measure it (--each-interface) before setting it.";
    finding.confidence = is_on_purpose ? 0.5 : 0.9;
    diagnosis.findings.push_back(std::move(finding));
  }
}

void find_wrong_labels(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto text = model::label_contradiction(run.record->mode);
  if (!text || has_several_interfaces(*run.record)) return;
  auto finding = finding_of("mode-mislabelled", model::Severity::kWarning, *text);
  for (const auto& line : run.record->mode.evidence) {
    finding.evidence.push_back({.file = run.source, .text = base::printable(line)});
  }
  finding.settings = {{.name = "--mode", .value = run.record->mode.detected, .where = "env"}};
  finding.why = "A comparison by this label would blame the wrong network.";
  finding.confidence = 0.9;
  diagnosis.findings.push_back(std::move(finding));
}

void find_dead_paths(const InputRun& run, model::Diagnosis& diagnosis) {
  std::map<std::set<std::string>, model::Finding> found;
  std::set<std::string> unsure;
  for (std::size_t i = 0; i < run.record->problems.size(); ++i) {
    const auto& problem = run.record->problems[i];
    if (problem.sign != "unacknowledged" && problem.sign != "no-connection") continue;
    if (!problem.host || !problem.peer_host || problem.host == problem.peer_host) continue;
    const auto seen = between(*run.record, problem);
    if (seen.is_alive()) continue;
    const std::set<std::string> ends{base::printable(*problem.host),
                                     base::printable(*problem.peer_host)};
    // There was a connection, so small packets passed then.
    if (!seen.is_tried && problem.sign == "unacknowledged") {
      unsure.insert(base::join({ends.begin(), ends.end()}, " and "));
      continue;
    }
    auto& finding = found[ends];
    finding.evidence.push_back(
        {.file = run.source,
         .text = fmt::format("problems[{}]: {}", i, base::printable(problem.text))});
    if (!finding.cause.empty()) continue;
    auto evidence = std::move(finding.evidence);
    finding = finding_of(
        "path-blackhole", model::Severity::kError,
        fmt::format(
            "nothing gets through between {}{}", base::join({ends.begin(), ends.end()}, " and "),
            problem.interface ? " on " + base::printable(*problem.interface) : std::string()));
    finding.evidence = std::move(evidence);
    finding.settings = {{.name = "path between these hosts",
                         .value = "check firewall, NetworkPolicy, routes and switch ports",
                         .where = "fabric"}};
    finding.why =
        "What one end sends is never acknowledged by the other, or no connection comes "
        "about, while other pairs work.";
    finding.confidence = 0.8;
  }
  for (auto& [ends, finding] : found) diagnosis.findings.push_back(std::move(finding));
  for (const auto& ends : unsure) {
    diagnosis.unknown.push_back(fmt::format(
        "{}: {} were connected, and what was sent got no answer: large packets are lost, or the "
        "path broke; run ringwise-probe with --probes tcp-pairs",
        run.source, ends));
  }
}

}  // namespace ringwise::diagnose
