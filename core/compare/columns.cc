#include "compare/columns.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "model/mode_label.h"

namespace ringwise::compare {
namespace {

using model::Host;
using model::Result;
using model::RunRecord;

/// Interfaces that a probe measured one after the other, in the record's order.
std::vector<std::string> interfaces_in_turn(const RunRecord& record) {
  std::map<std::string, std::vector<std::string>> by_probe;
  std::vector<std::string> most;
  for (const auto& result : record.results) {
    if (!result.interface || result.settings_name.value_or("default") != "default") continue;
    if (result.probe == "mpi-allreduce") continue;  // the control interface
    auto& seen = by_probe[result.probe + " " + result.variant.value_or("")];
    if (std::find(seen.begin(), seen.end(), *result.interface) == seen.end()) {
      seen.push_back(*result.interface);
    }
    if (seen.size() > most.size()) most = seen;
  }
  return most;
}

/// What names a mode in a table: the person's label, else what was detected.
std::string mode_name(const RunRecord& record) {
  if (model::label_contradiction(record.mode)) {
    return *record.mode.label + ", detected " + *record.mode.detected;
  }
  if (record.mode.label) return *record.mode.label;
  return record.mode.detected.value_or("unknown");
}

bool is_shown(const Result& result) {
  return result.status != model::Status::kSkipped &&
         result.settings_name.value_or("default") == "default";
}

Column column_of(const InputRun& input, const std::optional<std::string>& interface) {
  const RunRecord& record = *input.record;
  Column column{.run = {.name = mode_name(record), .source = input.source}, .record = &record};
  column.run.label = record.mode.label;
  column.run.detected = record.mode.detected;
  column.run.interface = interface;
  column.run.ranks = record.launch.ranks;
  column.run.nodes = record.launch.nodes;
  for (const auto& result : record.results) {
    if (!is_shown(result)) continue;
    const bool is_own = !interface || !result.interface || result.interface == interface ||
                        result.probe == "mpi-allreduce";
    if (is_own) column.results.push_back(&result);
  }
  return column;
}

/// The class of the measured interface, where all hosts agree.
std::optional<std::string> interface_mode(const Column& column) {
  std::optional<std::string> agreed;
  for (const auto& host : column.record->hosts) {
    const auto* interface = measured_interface(column, host);
    if (interface == nullptr || !interface->mode) return std::nullopt;
    if (agreed && agreed != interface->mode) return std::nullopt;
    agreed = interface->mode;
  }
  return agreed;
}

void make_names_distinct(std::vector<Column>& columns) {
  std::map<std::string, int> count;
  for (const auto& column : columns) ++count[column.run.name];
  std::map<std::string, int> again;
  for (auto& column : columns) {
    if (count[column.run.name] > 1) column.run.name += fmt::format(" ({})", column.run.source);
  }
  for (auto& column : columns) {
    if (const int number = ++again[column.run.name]; number > 1) {
      column.run.name += fmt::format(" #{}", number);
    }
  }
}

bool is_host(const Column& column) {
  const auto is_named = [](const std::optional<std::string>& name) {
    return name && (name->starts_with("host") || name->starts_with("bare"));
  };
  return is_named(column.run.label) || (!column.run.label && is_named(column.run.detected));
}

std::size_t baseline_of(const std::vector<Column>& columns, const Options& options) {
  if (!options.baseline) {
    const auto host = std::find_if(columns.begin(), columns.end(), is_host);
    return host == columns.end() ? 0 : static_cast<std::size_t>(host - columns.begin());
  }
  const auto& wanted = *options.baseline;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& run = columns[i].run;
    if (run.source == wanted || run.name == wanted || run.interface == wanted) return i;
  }
  // A mode that several runs have: the first of them.
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& run = columns[i].run;
    if (run.label == wanted || run.detected == wanted) return i;
  }
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const auto& column : columns) names.push_back(column.run.name);
  throw Error(ErrorKind::kUsage,
              fmt::format("--baseline: no run or mode is called '{}'; there are {}",
                          base::printable(wanted), base::printable(base::join(names, ", "))));
}

/// A host by its Kubernetes node where it is known, so that a pod equals the node that it ran on.
std::multiset<std::string> node_names(const RunRecord& record) {
  std::multiset<std::string> names;
  for (const Host& host : record.hosts) names.insert(host.node.value_or(host.host));
  return names;
}

/// Containers show their node's boot id. Empty when a host has none.
std::multiset<std::string> boot_ids(const RunRecord& record) {
  std::multiset<std::string> ids;
  for (const Host& host : record.hosts) {
    if (!host.boot_id) return {};
    ids.insert(*host.boot_id);
  }
  return ids;
}

std::string listed(const std::multiset<std::string>& names) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> shown;
  for (const auto& name : names) {
    if (shown.size() == kShown) break;
    shown.push_back(name);
  }
  return base::printable(base::join(shown, ", ")) +
         (names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "");
}

void add_node_differences(const Column& baseline, const Column& other,
                          std::vector<std::string>& reasons) {
  const auto mine = node_names(*baseline.record);
  const auto theirs = node_names(*other.record);
  if (mine == theirs) return;
  const auto ids = boot_ids(*baseline.record);
  if (!ids.empty() && ids == boot_ids(*other.record)) return;
  reasons.push_back(fmt::format("other nodes: {} instead of {}", listed(theirs), listed(mine)));
}

using Sizes = std::map<std::string, std::set<std::uint64_t>>;

Sizes sizes_of(const Column& column) {
  Sizes sizes;
  for (const auto* result : column.results) {
    for (const auto& size : result->sizes) sizes[result->probe].insert(size.bytes);
  }
  return sizes;
}

std::string listed(const std::set<std::uint64_t>& sizes) {
  std::vector<std::string> texts;
  texts.reserve(sizes.size());
  for (const auto size : sizes) texts.push_back(base::format_bytes(size));
  return base::join(texts, ", ");
}

void add_size_differences(const Column& baseline, const Column& other,
                          std::vector<std::string>& reasons) {
  const auto mine = sizes_of(baseline);
  for (const auto& [probe, sizes] : sizes_of(other)) {
    const auto same = mine.find(probe);
    if (same == mine.end() || same->second == sizes) continue;
    reasons.push_back(fmt::format("other sizes of {}: {} instead of {}", base::printable(probe),
                                  listed(sizes), listed(same->second)));
  }
}

bool has_common_probe(const Column& baseline, const Column& other) {
  return std::any_of(other.results.begin(), other.results.end(), [&](const Result* result) {
    return !results_of(baseline, result->probe, result->variant).empty();
  });
}

bool lacks_interface(const Column& column) {
  return std::any_of(column.results.begin(), column.results.end(), [](const Result* result) {
    return result->transport == "tcp" && !result->interface;
  });
}

}  // namespace

std::vector<Column> columns_of(std::span<const InputRun> runs, const Options& options) {
  std::vector<Column> columns;
  for (const auto& input : runs) {
    const auto interfaces = interfaces_in_turn(*input.record);
    if (interfaces.size() < 2) {
      columns.push_back(
          column_of(input, interfaces.empty() ? std::nullopt : std::optional(interfaces.front())));
      continue;
    }
    for (const auto& interface : interfaces) {
      auto column = column_of(input, interface);
      column.run.name = interface;
      // The run's label and mode are those of its first interface.
      column.run.label.reset();
      column.run.detected = interface_mode(column);
      columns.push_back(std::move(column));
    }
  }
  make_names_distinct(columns);
  const auto baseline = baseline_of(columns, options);
  std::rotate(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(baseline),
              columns.begin() + static_cast<std::ptrdiff_t>(baseline) + 1);
  columns.front().run.is_baseline = true;
  return columns;
}

std::vector<std::string> differences(const Column& baseline, const Column& other) {
  std::vector<std::string> reasons;
  const auto& mine = *baseline.record;
  const auto& theirs = *other.record;
  if (!theirs.complete) reasons.emplace_back("it is not complete");
  if (!mine.complete) reasons.emplace_back("the baseline is not complete");
  if (&mine != &theirs) {
    add_node_differences(baseline, other, reasons);
    if (mine.launch.ranks != theirs.launch.ranks) {
      reasons.push_back(
          fmt::format("{} ranks instead of {}", theirs.launch.ranks, mine.launch.ranks));
    } else if (mine.launch.ranks_per_node != theirs.launch.ranks_per_node) {
      reasons.emplace_back("another number of ranks on a node");
    }
    if (mine.tool.version != theirs.tool.version) {
      reasons.push_back(fmt::format("measured by version {} instead of {}",
                                    base::printable(theirs.tool.version),
                                    base::printable(mine.tool.version)));
    }
    add_size_differences(baseline, other, reasons);
  }
  if (!has_common_probe(baseline, other)) reasons.emplace_back("no probe was run in both");
  if (lacks_interface(baseline) || lacks_interface(other)) {
    reasons.emplace_back("a TCP result names no interface");
  }
  return reasons;
}

std::vector<const Result*> results_of(const Column& column, std::string_view probe,
                                      const std::optional<std::string>& variant) {
  std::vector<const Result*> found;
  for (const auto* result : column.results) {
    if (result->probe == probe && result->variant == variant) found.push_back(result);
  }
  return found;
}

const model::Interface* measured_interface(const Column& column, const Host& host) {
  // "eth0,eth1": used together; "eth0|ens5": unequal names.
  if (!column.run.interface) return nullptr;
  for (const auto& part : base::split(*column.run.interface, '|')) {
    const auto name = part.substr(0, part.find(','));
    for (const auto& interface : host.interfaces) {
      if (interface.name == name) return &interface;
    }
  }
  return nullptr;
}

}  // namespace ringwise::compare
