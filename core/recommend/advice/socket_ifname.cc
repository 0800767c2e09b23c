// NCCL_SOCKET_IFNAME: the interfaces that were measured, exactly, on every node.
#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/nccl_interfaces.h"
#include "recommend/advice/rows.h"
#include "recommend/measured_path.h"

namespace ringwise::recommend {
namespace {

constexpr const char* kId = "socket-ifname";
constexpr const char* kName = "NCCL_SOCKET_IFNAME";

std::string exact(const std::vector<std::string>& names) {
  return "=" + base::join(names, ",");
}

/// The names of all hosts in one list, each once, in order of first appearance.
std::vector<std::string> joined_names(const Evidence& evidence, const MeasuredPath& path) {
  std::vector<std::string> names;
  for (const auto* host : evidence.hosts) {
    for (const auto& name : path.by_host.at(host->host)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

bool is_right_everywhere(const Evidence& evidence, const MeasuredPath& path,
                         const std::string& value) {
  return std::all_of(evidence.hosts.begin(), evidence.hosts.end(), [&](const auto* host) {
    return choice_with(*host, value) == path.by_host.at(host->host);
  });
}

/// Hosts on which NCCL's own rule picks something else, with what it picks.
std::string wrong_choices(const Evidence& evidence, const MeasuredPath& path) {
  std::vector<std::string> wrong;
  constexpr std::size_t kShown = 4;
  std::size_t count = 0;
  for (const auto* host : evidence.hosts) {
    const auto chosen = automatic_choice(*host);
    if (chosen == path.by_host.at(host->host)) continue;
    if (++count > kShown) continue;
    wrong.push_back(fmt::format(
        "{} on {}", chosen.empty() ? "another set by version" : base::join(chosen, " with "),
        host->host));
  }
  std::string text = base::printable(base::join(wrong, ", "));
  if (count > kShown) text += fmt::format(" and {} more hosts", count - kShown);
  return text;
}

bool is_kubernetes_host_network(const Evidence& evidence) {
  return evidence.mode == "host" &&
         std::any_of(evidence.hosts.begin(), evidence.hosts.end(), [](const auto* host) {
           return host->pod || host->node || host->container == "kubernetes";
         });
}

std::string measured(const MeasuredPath& path) {
  std::string text = fmt::format("measured over {}: {}", path.label, rate_text(*path.best));
  for (const auto& line : path.choice) text += "; " + line;
  return text;
}

model::Advice leave_unset(const Evidence& evidence, const MeasuredPath& path) {
  const auto& host = *evidence.hosts.front();
  const auto rule = plan::select_interfaces(host.interfaces, {}).rule;
  auto advice = unset(
      kId, kName, "env",
      fmt::format("NCCL's own rule ({}) picks {} on all {} hosts, and that is what was {}. An "
                  "interface that is added later (VPN, container bridge) can change its choice; "
                  "then set {}",
                  rule, path.label, evidence.nodes, measured(path),
                  exact(joined_names(evidence, path))));
  advice.evidence = {path.key};
  return advice;
}

/// One value for all hosts, or one for each.
void set_value(model::Advice& advice, const Evidence& evidence, const MeasuredPath& path) {
  const auto names = joined_names(evidence, path);
  const auto value = exact(names);
  const bool is_one =
      names.size() <= plan::kMaxInterfaces && is_right_everywhere(evidence, path, value);
  if (is_one) {
    advice.value = value;
    if (evidence.nodes > 1 && path.by_host.size() > 1 && names.size() > 1) {
      advice.reason +=
          fmt::format("; the list selects exactly these on each of the {} hosts", evidence.nodes);
    }
    return;
  }
  for (const auto& [host, own] : path.by_host) advice.per_host[host] = exact(own);
  advice.reason += fmt::format(
      "; no one value is right everywhere ({} would select other interfaces on some "
      "host), so each host has its own nccl.conf",
      value);
}

}  // namespace

std::vector<model::Advice> advise_socket_ifname(const Evidence& evidence) {
  const auto found = measured_path(evidence);
  if (!found.path) return {not_enough(kId, kName, "env", found.reason)};
  const auto& path = *found.path;
  if (evidence.nodes < 2) {
    return {not_enough(kId, kName, "env",
                       fmt::format("one host was measured (over {}), so no traffic between hosts; "
                                   "run it on two or more",
                                   path.label))};
  }
  for (const auto* host : evidence.hosts) {
    const auto own = exact(path.by_host.at(host->host));
    if (choice_with(*host, own) != path.by_host.at(host->host)) {
      return {not_enough(kId, kName, "env",
                         fmt::format("on {} the facts of the record do not fit the measured {}",
                                     base::printable(host->host), own))};
    }
  }
  const bool is_automatic = std::all_of(
      evidence.hosts.begin(), evidence.hosts.end(),
      [&](const auto* host) { return automatic_choice(*host) == path.by_host.at(host->host); });
  const bool is_shared = is_kubernetes_host_network(evidence);
  if (is_automatic && !is_shared) return {leave_unset(evidence, path)};

  model::Advice advice;
  advice.id = kId;
  advice.state = model::AdviceState::kRequired;
  advice.name = kName;
  advice.where = "env";
  advice.reason =
      is_automatic
          ? "with hostNetwork NCCL sees every interface of the node, and those of other pods come "
            "and go: its own choice is right only by chance; " +
                measured(path)
          : fmt::format("NCCL's own rule picks {}; {}", wrong_choices(evidence, path),
                        measured(path));
  advice.nccl_versions = "all";
  advice.verify = fmt::format(
      "NCCL_DEBUG=INFO prints \"NET/Socket : Using [0]NAME:ADDRESS\" on every rank, with {} as "
      "NAME",
      path.label);
  advice.undo = "unset NCCL_SOCKET_IFNAME";
  advice.evidence = {path.key};
  set_value(advice, evidence, path);
  return {advice};
}

}  // namespace ringwise::recommend
