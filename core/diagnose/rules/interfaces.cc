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
  auto finding = finding_of("mode-mislabelled", model::Severity::kWarning, *text);
  for (const auto& line : run.record->mode.evidence) {
    finding.evidence.push_back({.file = run.source, .text = base::printable(line)});
  }
  finding.settings = {{.name = "--mode", .value = run.record->mode.detected, .where = "env"}};
  finding.why = "A comparison by this label would blame the wrong network.";
  finding.confidence = 0.9;
  diagnosis.findings.push_back(std::move(finding));
}

}  // namespace ringwise::diagnose
