#include "compare/facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "knowledge/encapsulation.h"
#include "stats/percentile.h"

namespace ringwise::compare {
namespace {

using model::ComparedFact;
using model::ComparedFactCell;
using model::Host;
using Text = std::optional<std::string>;

/// Adds the fact when at least one run has it.
void add(std::vector<ComparedFact>& facts, std::string name, std::vector<ComparedFactCell> cells) {
  const bool is_known =
      std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell.text; });
  if (is_known) facts.push_back({.name = std::move(name), .cells = std::move(cells)});
}

template <typename TextOf>
std::vector<ComparedFactCell> each(std::span<const Column> columns, TextOf text_of) {
  std::vector<ComparedFactCell> cells;
  cells.reserve(columns.size());
  for (const auto& column : columns)
    cells.push_back({.text = text_of(column), .ratio = {}, .remedy = {}});
  return cells;
}

/// The same of every host, or all that occur.
template <typename TextOf>
Text over_hosts(const Column& column, TextOf text_of) {
  std::set<std::string> texts;
  for (const auto& host : column.record->hosts) {
    if (const Text text = text_of(host)) texts.insert(*text);
  }
  if (texts.empty()) return std::nullopt;
  return base::join({texts.begin(), texts.end()}, " or ");
}

/// The least of all hosts: what the slowest can use.
template <typename ValueOf>
std::optional<double> least(const Column& column, ValueOf value_of) {
  std::optional<double> found;
  for (const auto& host : column.record->hosts) {
    const std::optional<double> value = value_of(host);
    if (value && (!found || *value < *found)) found = value;
  }
  return found;
}

Text streams(const Column& column) {
  for (const auto* result : column.results) {
    if (result->probe != "tcp-allreduce" || !result->channels) continue;
    if (result->threads.value_or(0) == 0) {
      return fmt::format("{} x control socket", *result->channels);
    }
    return fmt::format("{} x {} x {}", *result->channels, *result->threads,
                       result->sockets.value_or(1));
  }
  return std::nullopt;
}

/// What arrives, else what the kernel sends, else what the connection settled on.
std::optional<std::int64_t> mtu_of(const model::PairResult& pair) {
  if (pair.path && pair.path->forward_mtu) return *pair.path->forward_mtu;
  if (pair.path && pair.path->route_mtu) return *pair.path->route_mtu;
  if (pair.path_mtu) return *pair.path_mtu;
  return std::nullopt;
}

Text mtu_text(const Column& column) {
  const auto mtu = path_mtu(column);
  if (!mtu) return std::nullopt;
  if (mtu->smallest == mtu->largest) return fmt::format("{}", mtu->smallest);
  return fmt::format("{} to {}", mtu->smallest, mtu->largest);
}

/// What the senders' kernels hold the path for: below the device's where a route has an MTU.
Text route_mtu(const Column& column) {
  std::set<int> values;
  for (const auto* result : results_of(column, "tcp-pairs", std::nullopt)) {
    for (const auto& pair : result->pairs) {
      if (pair.path && pair.path->route_mtu) values.insert(*pair.path->route_mtu);
    }
  }
  if (values.empty()) return std::nullopt;
  if (values.size() == 1) return fmt::format("{}", *values.begin());
  return fmt::format("{} to {}", *values.begin(), *values.rbegin());
}

/// Against the largest packets that any of the runs saw.
Text encapsulation(const Column& column, std::int64_t full) {
  const auto mtu = path_mtu(column);
  if (!mtu || full == 0) return std::nullopt;
  const auto bytes = full - mtu->largest;
  if (bytes <= 0) return "none";
  const auto known = knowledge::encapsulation_of(bytes);
  if (!known) return fmt::format("unknown, {} bytes", bytes);
  return fmt::format("{}, {} bytes", known->name, bytes);
}

/// "tso gso gro tx-csum rx-csum", what is on; of each host apart where they differ.
Text offload_text(const Column& column) {
  return over_hosts(column, [&](const Host& host) -> Text {
    const auto* interface = measured_interface(column, host);
    if (interface == nullptr || !interface->offloads) return std::nullopt;
    const auto& offloads = *interface->offloads;
    std::vector<std::string> on;
    for (const auto& [name, value] :
         {std::pair("tso", offloads.tso), std::pair("gso", offloads.gso),
          std::pair("gro", offloads.gro), std::pair("tx", offloads.tx_checksum),
          std::pair("rx", offloads.rx_checksum)}) {
      if (value.value_or(false)) on.emplace_back(name);
    }
    return on.empty() ? "none" : base::join(on, " ");
  });
}

Text device_mtu(const Column& column) {
  return over_hosts(column, [&](const Host& host) -> Text {
    const auto* interface = measured_interface(column, host);
    if (interface == nullptr || !interface->mtu) return std::nullopt;
    return fmt::format("{}", *interface->mtu);
  });
}

/// Of the measured sockets, else the host's default.
Text congestion_control(const Column& column) {
  std::set<std::string> names;
  for (const auto* result : results_of(column, "tcp-pairs", std::nullopt)) {
    for (const auto& pair : result->pairs) {
      if (pair.congestion_control) names.insert(base::printable(*pair.congestion_control));
    }
  }
  if (!names.empty()) return base::join({names.begin(), names.end()}, " or ");
  return over_hosts(column, [](const Host& host) -> Text {
    return host.congestion_control ? Text(base::printable(*host.congestion_control)) : std::nullopt;
  });
}

/// Median over the pairs.
void add_cpu(std::span<const Column> columns, const char* name,
             std::optional<double> model::PairResult::*member, std::vector<ComparedFact>& facts) {
  std::vector<ComparedFactCell> cells;
  std::optional<double> base;
  for (const auto& column : columns) {
    std::vector<double> values;
    for (const auto* result : results_of(column, "tcp-pairs", std::nullopt)) {
      for (const auto& pair : result->pairs) {
        if (pair.*member) values.push_back(*(pair.*member));
      }
    }
    ComparedFactCell cell;
    if (!values.empty()) {
      const double median = stats::median(values);
      cell.text = fmt::format("{:.3g}", median);
      if (&column == columns.data()) base = median;
      if (base.value_or(0) > 0) cell.ratio = median / *base;
    }
    cells.push_back(std::move(cell));
  }
  add(facts, name, std::move(cells));
}

std::uint64_t retransmits(const Column& column, bool& is_known) {
  std::uint64_t sum = 0;
  for (const auto* result : results_of(column, "tcp-pairs", std::nullopt)) {
    for (const auto& pair : result->pairs) {
      if (!pair.retransmits) continue;
      is_known = true;
      sum += *pair.retransmits;
    }
  }
  return sum;
}

Text retransmit_text(const Column& column) {
  bool is_known = false;
  const auto sum = retransmits(column, is_known);
  return is_known ? Text(fmt::format("{}", sum)) : std::nullopt;
}

struct Limit {
  const char* name;
  std::optional<double> (*value)(const Host&);
  std::string (*text)(double);
  const char* remedy;
};

std::string bytes_text(double bytes) {
  return base::format_bytes(static_cast<std::uint64_t>(bytes));
}
std::string count_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

std::optional<double> number(const std::optional<std::uint64_t>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

/// Unlimited counts as this, so that it can be compared.
constexpr double kUnlimited = 1e30;

std::string limit_text(double bytes) {
  return bytes >= kUnlimited ? "unlimited" : bytes_text(bytes);
}

std::optional<double> shm_size(const Host& host) {
  return number(host.shm.size_bytes);
}
std::optional<double> memlock(const Host& host) {
  return host.limits.is_memlock_unlimited ? kUnlimited : number(host.limits.memlock_soft_bytes);
}
std::optional<double> usable_cpus(const Host& host) {
  if (host.cpus.quota_cpus) return host.cpus.quota_cpus;
  if (host.cpus.allowed_count) return static_cast<double>(*host.cpus.allowed_count);
  return std::nullopt;
}
std::optional<double> usable_memory(const Host& host) {
  return number(host.memory.cgroup_limit_bytes ? host.memory.cgroup_limit_bytes
                                               : host.memory.total_bytes);
}
std::optional<double> open_files(const Host& host) {
  return number(host.limits.open_files);
}

constexpr std::array<Limit, 5> kLimits{{
    {"/dev/shm", shm_size, bytes_text,
     "mount an emptyDir with medium Memory and a sizeLimit at /dev/shm"},
    {"memlock", memlock, limit_text,
     "capability IPC_LOCK, or raise the limit of the node's container runtime"},
    {"CPUs that may be used", usable_cpus, count_text,
     "raise requests and limits of cpu alike; whole CPUs"},
    {"memory that may be used", usable_memory, bytes_text, "raise requests and limits of memory"},
    {"open files", open_files, count_text, "raise the limit of the node's container runtime"},
}};

void add_limit(std::span<const Column> columns, const Limit& limit,
               std::vector<ComparedFact>& facts) {
  std::vector<ComparedFactCell> cells;
  const auto base = least(columns[0], limit.value);
  for (const auto& column : columns) {
    const auto value = least(column, limit.value);
    ComparedFactCell cell;
    if (value) cell.text = limit.text(*value);
    if (value && base && *base > 0 && *base < kUnlimited && *value < kUnlimited) {
      cell.ratio = *value / *base;
    }
    if (value && base && *value < *base) cell.remedy = limit.remedy;
    cells.push_back(std::move(cell));
  }
  add(facts, limit.name, std::move(cells));
}

void add_throttling(std::span<const Column> columns, std::vector<ComparedFact>& facts) {
  std::vector<ComparedFactCell> cells;
  for (const auto& column : columns) {
    std::optional<double> us;
    for (const auto* result : column.results) {
      if (!result->cpu_throttled_us) continue;
      us = us.value_or(0) + static_cast<double>(*result->cpu_throttled_us);
    }
    ComparedFactCell cell;
    if (us) cell.text = *us > 0 ? base::format_us(*us) : "none";
    if (us.value_or(0) > 0) cell.remedy = "raise or drop the CPU limit: the quota stopped it";
    cells.push_back(std::move(cell));
  }
  add(facts, "CPU throttling", std::move(cells));
}

/// A container's own layer: every first write to a file copies it, and it lies on the node's disk.
constexpr std::string_view kContainerLayer = "overlay";

void add_storage(std::span<const Column> columns, std::vector<ComparedFact>& facts) {
  const auto type_of = [](const Host& host) -> Text {
    if (!host.storage || !host.storage->type) return std::nullopt;
    return base::printable(*host.storage->type);
  };
  const auto base = over_hosts(columns[0], type_of);
  auto cells = each(columns, [&](const Column& column) { return over_hosts(column, type_of); });
  for (auto& cell : cells) {
    const bool is_layer = cell.text && cell.text->find(kContainerLayer) != std::string::npos;
    if (is_layer && base && cell.text != base) {
      cell.remedy = "keep data and checkpoints on a mounted volume, not in the container's layer";
    }
  }
  add(facts, "storage of the working directory", std::move(cells));
}

Text numa_text(const Host& host) {
  if (host.cpus.numa_nodes.empty()) return std::nullopt;
  return fmt::format("CPUs {}, NUMA nodes {}", base::printable(host.cpus.allowed.value_or("?")),
                     host.cpus.numa_nodes.size());
}

}  // namespace

std::optional<PathMtu> path_mtu(const Column& column) {
  std::optional<PathMtu> found;
  for (const auto* result : results_of(column, "tcp-pairs", std::nullopt)) {
    for (const auto& pair : result->pairs) {
      const auto mtu = mtu_of(pair);
      if (!mtu) continue;
      if (!found) found = PathMtu{*mtu, *mtu};
      found->smallest = std::min(found->smallest, *mtu);
      found->largest = std::max(found->largest, *mtu);
    }
  }
  return found;
}

std::vector<ComparedFact> path_facts(std::span<const Column> columns) {
  std::vector<ComparedFact> facts;
  add(facts, "interface", each(columns, [](const Column& column) -> Text {
        return column.run.interface ? Text(base::printable(*column.run.interface)) : std::nullopt;
      }));
  add(facts, "detected", each(columns, [](const Column& column) -> Text {
        return column.run.detected ? Text(base::printable(*column.run.detected)) : std::nullopt;
      }));
  add(facts, "channels x threads x sockets", each(columns, streams));
  add(facts, "path MTU", each(columns, mtu_text));
  std::int64_t full = 0;
  for (const auto& column : columns) {
    if (const auto mtu = path_mtu(column)) full = std::max(full, mtu->largest);
  }
  add(facts, "encapsulation",
      each(columns, [&](const Column& column) { return encapsulation(column, full); }));
  add(facts, "route MTU", each(columns, route_mtu));
  add(facts, "device MTU", each(columns, device_mtu));
  add(facts, "offloads", each(columns, offload_text));
  add(facts, "congestion control", each(columns, congestion_control));
  add_cpu(columns, "CPU s a GB sent", &model::PairResult::cpu_s_per_gbyte_src, facts);
  add_cpu(columns, "CPU s a GB received", &model::PairResult::cpu_s_per_gbyte_dst, facts);
  add(facts, "retransmits", each(columns, retransmit_text));
  return facts;
}

std::vector<ComparedFact> limit_facts(std::span<const Column> columns) {
  std::vector<ComparedFact> facts;
  for (const auto& limit : kLimits) add_limit(columns, limit, facts);
  add_throttling(columns, facts);
  add_storage(columns, facts);
  add(facts, "NUMA placement",
      each(columns, [](const Column& column) { return over_hosts(column, numa_text); }));
  return facts;
}

}  // namespace ringwise::compare
