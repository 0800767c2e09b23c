// wrong-interface, secondary-network-unused, mode-mislabelled.
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
    if (result.path_proof.carried_by) used.insert(*result.path_proof.carried_by);
  }
  for (const auto& rank : record.ranks) used.insert(rank.interfaces.begin(), rank.interfaces.end());
  return used;
}

bool is_measured_over_tcp(const model::RunRecord& record) {
  return std::any_of(record.results.begin(), record.results.end(), [](const auto& result) {
    return result.transport == "tcp" && result.nodes > 1;
  });
}

/// Interfaces that were measured in turn: the label can be right for one of them only.
bool has_several_interfaces(const model::RunRecord& record) {
  std::set<std::string> names;
  for (const auto& result : record.results) {
    if (result.probe == "tcp-allreduce" && result.interface) names.insert(*result.interface);
  }
  return names.size() > 1;
}

/// Hosts whose counters contradict the path of `result`; adds what they saw.
std::set<std::string> hosts_of_wrong_path(const InputRun& run, const model::Result& result,
                                          std::vector<model::FindingEvidence>& evidence) {
  std::set<std::string> hosts;
  for (const auto& problem : run.record->problems) {
    if (problem.sign != "wrong-path" || problem.stage != result.probe || !problem.host) continue;
    const auto names = base::split(result.interface.value_or(""), '|');
    const bool is_of_result = std::any_of(names.begin(), names.end(), [&](const auto& part) {
      const auto members = base::split(part, ',');
      return std::find(members.begin(), members.end(), problem.interface.value_or("")) !=
             members.end();
    });
    if (!is_of_result) continue;
    const auto host = base::printable(*problem.host);
    if (hosts.insert(host).second) {
      evidence.push_back({.file = run.source, .text = host + ": " + base::printable(problem.text)});
    }
  }
  return hosts;
}

}  // namespace

void find_other_paths(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto& record = *run.record;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    const auto& result = record.results[i];
    if (result.path_proof.state != model::ProofState::kContradicted) continue;
    const auto interface = base::printable(result.interface.value_or("?"));
    if (!seen.insert(interface).second) continue;
    auto finding = finding_of("wrong-interface", model::Severity::kError,
                              fmt::format("the bytes did not go over {}", interface));
    finding.evidence = {{.file = run.source,
                         .text = fmt::format("results[{}].path_proof: {}", i,
                                             base::printable(result.path_proof.reason))}};
    const auto hosts = hosts_of_wrong_path(run, result, finding.evidence);
    const bool is_partial = !hosts.empty() && hosts.size() < record.hosts.size();
    if (is_partial) finding.title += " of " + listed({hosts.begin(), hosts.end()});
    const model::FindingSetting routes{
        .name = fmt::format("routes of {}", interface),
        .value = "ip route get PEER from ADDRESS has to name " + interface,
        .where = "host"};
    finding.why =
        "The interface's counters did not grow by what was sent: a route or a second "
        "address of the same network sends it elsewhere.";
    finding.settings = {routes};
    // Where some hosts use it, the job's network is the measured one.
    if (const auto& carrier = result.path_proof.carried_by; carrier && !is_partial) {
      finding.settings.insert(
          finding.settings.begin(),
          {.name = "NCCL_SOCKET_IFNAME", .value = "=" + base::printable(*carrier), .where = "env"});
      finding.why += " That other interface is the network which the job uses.";
    }
    if (result.path_proof.carried_by) {
      finding.title += ", but over " + base::printable(*result.path_proof.carried_by);
    }
    finding.why += fmt::format(
        " To use {}: remove the route, or give several interfaces of one network source-based "
        "routing.",
        interface);
    finding.confidence = 0.9;
    diagnosis.findings.push_back(std::move(finding));
  }
}

void find_unused_networks(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto& record = *run.record;
  if (!is_measured_over_tcp(record)) return;
  auto used = used_interfaces(record);
  // Another of the runs was measured over it.
  for (const auto& other : run.others) {
    const auto more = used_interfaces(*other.record);
    used.insert(more.begin(), more.end());
  }
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
  const bool is_on_purpose = record.mode.label && !record.mode.label->starts_with("multus");
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
  // A run labelled multus that was measured over another network: one fault, and not two.
  const bool is_explained =
      std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(), [&](const auto& other) {
        return other.cause == "secondary-network-unused" &&
               other.severity == model::Severity::kWarning && is_of_run(other, run);
      });
  auto finding = finding_of(
      "mode-mislabelled", is_explained ? model::Severity::kInfo : model::Severity::kWarning, *text);
  for (const auto& line : run.record->mode.evidence) {
    finding.evidence.push_back({.file = run.source, .text = base::printable(line)});
  }
  finding.settings = {{.name = "--mode", .value = run.record->mode.detected, .where = "env"}};
  finding.why = is_explained ? "The network that the label means is there and was not used."
                             : "A comparison by this label would blame the wrong network.";
  finding.confidence = is_explained ? 0.5 : 0.9;
  diagnosis.findings.push_back(std::move(finding));
}

}  // namespace ringwise::diagnose
