#include "compare/costs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "compare/facts.h"
#include "knowledge/encapsulation.h"
#include "stats/percentile.h"

namespace ringwise::compare {
namespace {

using model::Against;
using model::ComparedCell;
using model::ComparedRow;
using model::ComparedTable;

/// Smallest payload whose bandwidth counts: below it latency does.
constexpr std::uint64_t kLarge = std::uint64_t{1} << 20;
/// A loss is explained by its headers when it lies this near to what they alone cost.
constexpr double kHeaderTolerance = 0.01;

/// The row that speaks for a mode's bandwidth: the largest size that both have.
const ComparedRow* bandwidth_row(std::span<const ComparedTable> tables, std::size_t column) {
  for (const std::string_view variant : {"wire", "reduce"}) {
    for (const auto& table : tables) {
      if (table.probe != "tcp-allreduce" || table.variant != variant || !table.is_more_better) {
        continue;
      }
      const auto row =
          std::find_if(table.rows.rbegin(), table.rows.rend(), [&](const ComparedRow& one) {
            return one.bytes.value_or(0) >= kLarge && !one.streams && one.cells[column].ratio;
          });
      if (row != table.rows.rend()) return &*row;
    }
  }
  return nullptr;
}

const ComparedCell* latency_cell(std::span<const ComparedTable> tables, std::size_t column) {
  for (const auto& table : tables) {
    if (table.probe != "tcp-pairs" || table.quantity != "latency" || table.rows.empty()) continue;
    return &table.rows.front().cells[column];
  }
  return nullptr;
}

std::string range_of(const ComparedCell& cell) {
  if (!cell.ratio_low || !cell.ratio_high) return fmt::format("{:.3f}", *cell.ratio);
  return fmt::format("{:.3f}, {:.3f} to {:.3f}", *cell.ratio, *cell.ratio_low, *cell.ratio_high);
}

std::string bandwidth_text(const ComparedRow& row, std::size_t column,
                           const std::string& baseline) {
  const auto& cell = row.cells[column];
  const double percent = std::abs(1 - *cell.ratio) * 100;
  const auto at = fmt::format("at {} (ratio {})", base::format_bytes(*row.bytes), range_of(cell));
  switch (cell.against) {
    case Against::kWorse:
      return fmt::format("costs {:.1f} % of {}'s bandwidth {}", percent, baseline, at);
    case Against::kBetter:
      return fmt::format("gives {:.1f} % more bandwidth than {} {}", percent, baseline, at);
    case Against::kWithinNoise:
      return fmt::format("has {}'s bandwidth {}: no difference beyond noise", baseline, at);
    default:
      return fmt::format("cannot be told from {} {}: too few blocks for an interval", baseline, at);
  }
}

std::string_view family_of(const Column& column) {
  for (const auto* result : column.results) {
    if (result->transport == "tcp" && result->family) return *result->family;
  }
  return "inet";
}

std::string name_of_headers(std::int64_t bytes) {
  const auto known = knowledge::encapsulation_of(bytes);
  return known ? fmt::format("{} adds {} bytes a packet", known->name, bytes)
               : fmt::format("packets are {} bytes smaller", bytes);
}

/// Median CPU seconds a GB of both ends together.
std::optional<double> cpu_s_per_gbyte(const Column& column) {
  std::vector<double> values;
  for (const auto* result : results_of(column, "tcp-pairs", std::nullopt)) {
    for (const auto& pair : result->pairs) {
      if (pair.direction != "one-way" || !pair.cpu_s_per_gbyte_src || !pair.cpu_s_per_gbyte_dst) {
        continue;
      }
      values.push_back(*pair.cpu_s_per_gbyte_src + *pair.cpu_s_per_gbyte_dst);
    }
  }
  return values.empty() ? std::nullopt : std::optional(stats::median(values));
}

/// A smaller difference of CPU time is not taken for a cause.
constexpr double kDearer = 1.1;

bool is_work_dearer(const Column& baseline, const Column& column) {
  const auto base = cpu_s_per_gbyte(baseline);
  const auto mine = cpu_s_per_gbyte(column);
  return base && mine && *mine > kDearer * *base;
}

/// "; VXLAN adds 50 bytes a packet, 3.5 % at MTU 1450: that is all of it".
std::string header_text(const Column& baseline, const Column& column, const ComparedCell* cell) {
  const auto base = path_mtu(baseline);
  const auto mine = path_mtu(column);
  if (!base || !mine || mine->largest == base->largest) return {};
  const bool is_smaller = mine->largest < base->largest;
  const auto full = std::max(mine->largest, base->largest);
  const auto less = std::min(mine->largest, base->largest);
  const auto family = family_of(column);
  const auto carried = static_cast<double>(knowledge::tcp_payload(full, family));
  const auto left = static_cast<double>(knowledge::tcp_payload(less, family));
  if (left <= 0) return {};
  const double share = 1 - left / carried;
  auto text = fmt::format("; {}{}, {:.1f} % at MTU {}",
                          is_smaller ? "" : base::printable(baseline.run.name) + "'s ",
                          name_of_headers(full - less), share * 100, less);
  if (cell == nullptr || !is_smaller || cell->against != Against::kWorse) return text;
  const double rest = 1 - *cell->ratio - share;
  if (rest > kHeaderTolerance) {
    const std::string why = is_work_dearer(baseline, column)
                                ? "goes with the work on each packet: see the CPU seconds a GB"
                                : "is not the headers and costs no more CPU a GB: a lower rate, a "
                                  "limit or loss on the way (ringwise explain)";
    text += fmt::format("; the other {:.1f} % {}", rest * 100, why);
  } else if (rest > -kHeaderTolerance) {
    text += ": that is all of it";
  }
  return text;
}

std::string latency_text(const ComparedCell* cell) {
  if (cell == nullptr || !cell->ratio) return {};
  if (cell->against == Against::kWorse || cell->against == Against::kBetter) {
    return fmt::format("; latency is {:.2f} times the baseline's", *cell->ratio);
  }
  return {};
}

/// In a sweep: whether one stream is enough.
std::string stream_text(std::span<const ComparedTable> tables, std::size_t column) {
  for (const auto& table : tables) {
    if (table.probe != "tcp-allreduce" || table.variant != "wire") continue;
    const ComparedRow* fewest = nullptr;
    const ComparedRow* best = nullptr;
    for (const auto& row : table.rows) {
      if (!row.streams || !row.cells[column].value) continue;
      if (fewest == nullptr || *row.streams < *fewest->streams) fewest = &row;
      if (best == nullptr || *row.cells[column].value > *best->cells[column].value) best = &row;
    }
    if (fewest == nullptr || best == fewest) continue;
    const auto& low = fewest->cells[column];
    const auto& high = best->cells[column];
    if (!low.high || !high.low || *low.high >= *high.low) return {};
    return fmt::format("; {} stream{} carr{} {:.4g} GB/s, {} carry {:.4g}", *fewest->streams,
                       *fewest->streams == 1 ? "" : "s", *fewest->streams == 1 ? "ies" : "y",
                       *low.value, *best->streams, *high.value);
  }
  return {};
}

}  // namespace

std::vector<model::ComparedCost> costs_of(std::span<const Column> columns,
                                          std::span<const ComparedTable> tables) {
  std::vector<model::ComparedCost> costs;
  const auto baseline = base::printable(columns[0].run.name);
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const auto* row = bandwidth_row(tables, i);
    const auto* cell = row == nullptr ? nullptr : &row->cells[i];
    std::string text =
        row == nullptr
            ? fmt::format("no bandwidth of 1 MiB or more was measured in it and {}", baseline)
            : bandwidth_text(*row, i, baseline);
    text += header_text(columns[0], columns[i], cell);
    text += latency_text(latency_cell(tables, i));
    text += stream_text(tables, i);
    costs.push_back({.name = columns[i].run.name, .text = std::move(text) + "."});
  }
  return costs;
}

}  // namespace ringwise::compare
