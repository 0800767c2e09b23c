#include "recommend/measured_path.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/gain.h"
#include "plan/nccl_interfaces.h"
#include "plan/usable.h"

namespace ringwise::recommend {
namespace {

using ByHost = std::map<std::string, std::vector<std::string>>;

std::vector<std::string> names_of(const plan::SelectionResult& selection) {
  std::vector<std::string> names;
  names.reserve(selection.chosen.size());
  for (const auto& chosen : selection.chosen) names.push_back(chosen.name);
  return names;
}

bool has_interfaces(const model::Host& host, const std::vector<std::string>& names) {
  return !names.empty() && std::all_of(names.begin(), names.end(), [&](const auto& name) {
    return std::any_of(host.interfaces.begin(), host.interfaces.end(),
                       [&](const auto& interface) { return interface.name == name; });
  });
}

/// A label as the record joins it: "eth0", "eth0,eth1" used together, "eth0|ens5" on unequal hosts.
std::optional<ByHost> by_label(const Evidence& evidence, const std::string& label) {
  ByHost by_host;
  for (const auto* host : evidence.hosts) {
    std::set<std::vector<std::string>> fitting;
    for (const auto& part : base::split(label, '|')) {
      auto names = base::split(part, ',');
      if (has_interfaces(*host, names)) fitting.insert(std::move(names));
    }
    if (fitting.size() != 1) return std::nullopt;
    by_host[host->host] = *fitting.begin();
  }
  return by_host;
}

/// What the ranks say they used, where the label has it: of a run that measured several
/// interfaces in turn a rank names one of them only.
std::optional<ByHost> by_ranks(const Evidence& evidence, const std::string& label) {
  std::set<std::string> labelled;
  for (const auto& part : base::split(label, '|')) {
    for (auto& name : base::split(part, ',')) labelled.insert(std::move(name));
  }
  ByHost by_host;
  for (const auto* host : evidence.hosts) {
    const auto rank = evidence.ranks.find(host->host);
    if (rank == evidence.ranks.end() || rank->second->interfaces.empty()) return std::nullopt;
    const auto& names = rank->second->interfaces;
    const bool is_labelled = std::all_of(names.begin(), names.end(),
                                         [&](const auto& name) { return labelled.contains(name); });
    if (!is_labelled) return std::nullopt;
    by_host[host->host] = names;
  }
  return by_host;
}

bool is_automatic(const Evidence& evidence, const ByHost& by_host) {
  return std::all_of(evidence.hosts.begin(), evidence.hosts.end(), [&](const auto* host) {
    return automatic_choice(*host) == by_host.at(host->host);
  });
}

std::string label_of(const ByHost& by_host) {
  std::vector<std::string> labels;
  for (const auto& [host, names] : by_host) {
    const auto label = base::join(names, " with ");
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
  return base::printable(base::join(labels, " or "));
}

struct Option {
  const Usable* usable = nullptr;
  ByHost by_host;
  bool is_automatic = false;
};

/// One option a label: its first untuned wire result, or reduce where wire was not measured.
std::vector<Option> options_of(const Evidence& evidence, std::string& unclear) {
  auto results = untuned(evidence, "tcp-allreduce", "wire");
  if (results.empty()) results = untuned(evidence, "tcp-allreduce", "reduce");
  std::vector<Option> options;
  std::set<std::string> seen;
  for (const auto* usable : results) {
    const auto label = usable->result->interface.value_or("");
    if (label.empty() || !seen.insert(label).second) continue;
    options.push_back({.usable = usable, .by_host = {}, .is_automatic = false});
  }
  const bool is_only = options.size() == 1;
  std::erase_if(options, [&](Option& option) {
    auto found = is_only ? by_ranks(evidence, *option.usable->result->interface) : std::nullopt;
    if (!found) found = by_label(evidence, *option.usable->result->interface);
    if (!found) {
      unclear = base::printable(*option.usable->result->interface);
      return true;
    }
    option.by_host = std::move(*found);
    option.is_automatic = is_automatic(evidence, option.by_host);
    return false;
  });
  return options;
}

const Option& choose(const std::vector<Option>& options, std::vector<std::string>& why) {
  const auto automatic = std::find_if(options.begin(), options.end(),
                                      [](const auto& option) { return option.is_automatic; });
  const Option* chosen = automatic == options.end() ? &options.front() : &*automatic;
  for (const auto& option : options) {
    if (&option == chosen) continue;
    const auto over = plan::large_gain(*option.usable->result, *chosen->usable->result);
    const auto name = label_of(option.by_host);
    if (!over) {
      why.push_back(name + " cannot be compared: no size of 4 MiB or more is usable in both");
      continue;
    }
    why.push_back(fmt::format("{} over {}: {}", name, label_of(chosen->by_host), over->text()));
    if (over->low > 1 && over->factor >= plan::kLeastGain) chosen = &option;
  }
  return *chosen;
}

}  // namespace

PathOrReason measured_path(const Evidence& evidence) {
  if (!evidence.is_complete) return {.path = {}, .reason = evidence.why_not};
  std::string unclear;
  const auto options = options_of(evidence, unclear);
  if (options.empty() && !unclear.empty()) {
    return {.path = {},
            .reason = fmt::format("the record does not tell which of {} each host used; measure "
                                  "one interface at a time with --interface",
                                  unclear)};
  }
  if (options.empty()) {
    return {.path = {}, .reason = "no tcp-allreduce result can be used"};
  }
  MeasuredPath path;
  const auto& chosen = choose(options, path.choice);
  path.by_host = chosen.by_host;
  path.label = label_of(chosen.by_host);
  path.best = chosen.usable;
  path.key = chosen.usable->key;
  return {.path = std::move(path), .reason = {}};
}

std::vector<std::string> automatic_choice(const model::Host& host) {
  // Before 2.28.3 virbr* was not left out; a job may bring an older NCCL than this host has.
  std::vector<std::optional<std::string>> versions{std::nullopt, "2.28.2"};
  if (host.nccl.version) versions.emplace_back(host.nccl.version);
  std::optional<std::vector<std::string>> agreed;
  for (const auto& version : versions) {
    plan::SelectionEnv env;
    env.nccl_version = version;
    auto names = names_of(plan::select_interfaces(host.interfaces, env));
    if (agreed && *agreed != names) return {};
    agreed = std::move(names);
  }
  return *agreed;
}

std::vector<std::string> choice_with(const model::Host& host, const std::string& value) {
  plan::SelectionEnv env;
  env.socket_ifname = value;
  return names_of(plan::select_interfaces(host.interfaces, env));
}

const model::SizeResult* largest_usable(const model::Result& result) {
  const model::SizeResult* largest = nullptr;
  for (const auto& size : result.sizes) {
    if (plan::is_usable(size) && (largest == nullptr || size.bytes > largest->bytes))
      largest = &size;
  }
  return largest;
}

std::string rate_text(const Usable& usable) {
  const auto* size = largest_usable(*usable.result);
  if (size == nullptr || !size->busbw_gbyte_per_s) return "no rate";
  auto text = fmt::format("{:.4g} GB/s", *size->busbw_gbyte_per_s);
  if (size->low && size->high) text += fmt::format(" ({:.4g} to {:.4g})", *size->low, *size->high);
  return text + fmt::format(" busbw at {}", base::format_bytes(size->bytes));
}

}  // namespace ringwise::recommend
