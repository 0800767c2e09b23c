#include "compare/tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/usable.h"
#include "stats/interval.h"
#include "stats/percentile.h"

namespace ringwise::compare {
namespace {

using model::Against;
using model::ComparedCell;
using model::ComparedRow;
using model::ComparedTable;
using model::PairResult;
using model::Result;
using model::SizeResult;

/// Of ratios between separate runs: many rows are looked at, and each run has one fate.
constexpr double kSeparateConfidence = 0.99;

/// Samples of one cell: block medians in us, or one value a pair.
struct Samples {
  std::vector<double> values;
  bool is_time = false;  ///< less is better, and the ratio of bandwidths is that of times turned
};

/// How two cells are compared.
struct Terms {
  bool is_paired = false;    ///< element by element
  bool is_separate = false;  ///< of different runs
  bool is_more_better = true;
  double floor = kSeparateFloor;
};

Against judge(const ComparedCell& cell, const Terms& terms) {
  if (!cell.ratio || !cell.ratio_low || !cell.ratio_high) return Against::kUnknown;
  // Latency and memory have their own fate in every run: there the whole interval lies beyond the
  // floor.
  const bool is_whole = terms.floor >= kSeparateLatencyFloor;
  const double above = is_whole ? *cell.ratio_low : *cell.ratio;
  const double below = is_whole ? *cell.ratio_high : *cell.ratio;
  const bool is_above = *cell.ratio_low > 1 && above >= 1 + terms.floor;
  const bool is_below = *cell.ratio_high < 1 && below <= 1 - terms.floor;
  if (!is_above && !is_below) return Against::kWithinNoise;
  return is_above == terms.is_more_better ? Against::kBetter : Against::kWorse;
}

/// Fills in the ratio of `mine` to `base`; both in the order of better-is-more or as they are.
void set_ratio(ComparedCell& cell, std::span<const double> mine, std::span<const double> base,
               const Terms& terms) {
  if (mine.empty() || base.empty()) return;
  std::optional<stats::Interval> range;
  if (terms.is_paired && mine.size() == base.size()) {
    cell.ratio = stats::median_ratio(mine, base);
    range = stats::ratio_interval(mine, base);
  } else {
    const double below = stats::median(base);
    if (below > 0) cell.ratio = stats::median(mine) / below;
    range =
        stats::unpaired_ratio_interval(mine, base, terms.is_separate ? kSeparateConfidence : 0.95);
  }
  if (range) {
    cell.ratio_low = range->low;
    cell.ratio_high = range->high;
  }
  cell.against = judge(cell, terms);
}

// ---- sizes ----

struct SizeCell {
  const Result* result = nullptr;
  const SizeResult* size = nullptr;
};

std::optional<std::string> why_not(const SizeCell& found) {
  if (found.result == nullptr) return "not run";
  if (const auto why = plan::unfit(*found.result)) return why->reason;
  if (found.size == nullptr) return "another size";
  if (found.size->reason && !found.size->time_us_p50) return base::printable(*found.size->reason);
  if (!found.size->time_us_p50) return "not measured";
  if (!found.size->verified) return "not verified";
  return std::nullopt;
}

/// Times turned round: the ratio of rates is that of the reciprocals.
std::vector<double> rates_of(const std::vector<double>& times_us) {
  std::vector<double> rates;
  rates.reserve(times_us.size());
  for (const double time : times_us) rates.push_back(time > 0 ? 1 / time : 0);
  return rates;
}

double floor_of(const SizeCell& cell, bool is_bandwidth, bool is_separate) {
  if (!is_separate) return kInterleavedFloor;
  if (cell.result->transport == "memory" || cell.result->transport == "shm") {
    return kSeparateMemoryFloor;
  }
  const bool is_large = is_bandwidth && cell.size->bytes >= (std::uint64_t{1} << 20);
  return is_large ? kSeparateFloor : kSeparateLatencyFloor;
}

ComparedCell size_cell(const SizeCell& mine, const SizeCell& base, bool is_baseline,
                       bool is_bandwidth, bool is_separate) {
  ComparedCell cell;
  cell.reason = why_not(mine);
  if (cell.reason) return cell;
  const auto& size = *mine.size;
  if (is_bandwidth) {
    cell.value = size.busbw_gbyte_per_s;
    cell.low = size.low;
    cell.high = size.high;
  } else {
    cell.value = size.time_us_p50;
    if (const auto range = stats::median_interval(size.block_medians_us)) {
      cell.low = range->low;
      cell.high = range->high;
    }
  }
  if (is_baseline) {
    cell.against = Against::kBaseline;
    return cell;
  }
  if (why_not(base)) return cell;
  const Terms terms{.is_paired = !is_separate,
                    .is_separate = is_separate,
                    .is_more_better = is_bandwidth,
                    .floor = floor_of(mine, is_bandwidth, is_separate)};
  if (is_bandwidth) {
    set_ratio(cell, rates_of(size.block_medians_us), rates_of(base.size->block_medians_us), terms);
  } else {
    set_ratio(cell, size.block_medians_us, base.size->block_medians_us, terms);
  }
  return cell;
}

/// What a sweep varies. Runs without a sweep match whatever NCCL's own choice was.
using Streams = std::tuple<int, int, int>;
Streams streams_of(const Result& result) {
  return {result.channels.value_or(0), result.threads.value_or(0), result.sockets.value_or(0)};
}

int socket_count(const Result& result) {
  const int each = std::max(1, result.threads.value_or(0) * result.sockets.value_or(1));
  return std::max(1, result.channels.value_or(1)) * each;
}

std::string streams_text(const Result& result) {
  const int channels = result.channels.value_or(1);
  const int threads = result.threads.value_or(0);
  if (threads == 0) return fmt::format("{} x control socket", channels);
  return fmt::format("{} x {} x {}", channels, threads, result.sockets.value_or(1));
}

const SizeResult* size_of(const Result* result, std::uint64_t bytes) {
  if (result == nullptr) return nullptr;
  const auto found = std::find_if(result->sizes.begin(), result->sizes.end(),
                                  [bytes](const auto& size) { return size.bytes == bytes; });
  return found == result->sizes.end() ? nullptr : &*found;
}

ComparedRow size_row(std::span<const Column> columns, std::span<const Result* const> results,
                     std::uint64_t bytes, bool is_bandwidth) {
  ComparedRow row{.label = base::format_bytes(bytes), .bytes = bytes, .cells = {}};
  const SizeCell base{results[0], size_of(results[0], bytes)};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const SizeCell mine{results[i], size_of(results[i], bytes)};
    const bool is_separate = columns[i].record != columns[0].record;
    row.cells.push_back(size_cell(mine, base, i == 0, is_bandwidth, is_separate));
  }
  return row;
}

/// All sizes that any of the results has, ascending.
std::set<std::uint64_t> all_sizes(std::span<const Result* const> results) {
  std::set<std::uint64_t> sizes;
  for (const auto* result : results) {
    if (result == nullptr) continue;
    for (const auto& size : result->sizes) sizes.insert(size.bytes);
  }
  return sizes;
}

struct Kind {
  std::string probe;
  std::optional<std::string> variant;
};

ComparedTable table_for(const Kind& kind, bool is_bandwidth) {
  return {.probe = kind.probe,
          .variant = kind.variant,
          .quantity = is_bandwidth ? "busbw" : "time",
          .unit = is_bandwidth ? "GB/s" : "us",
          .is_more_better = is_bandwidth,
          .rows = {}};
}

/// The first configuration of each column by size, and at the largest size all of a sweep.
void add_size_tables(std::span<const Column> columns, const Kind& kind,
                     std::vector<ComparedTable>& tables) {
  std::vector<std::vector<const Result*>> all;
  std::vector<const Result*> first;
  for (const auto& column : columns) {
    all.push_back(results_of(column, kind.probe, kind.variant));
    first.push_back(all.back().empty() ? nullptr : all.back().front());
  }
  const auto sizes = all_sizes(first);
  if (sizes.empty()) return;
  auto times = table_for(kind, false);
  auto rates = table_for(kind, true);
  for (const auto bytes : sizes) {
    const bool is_bandwidth = bytes >= kBandwidthFrom;
    (is_bandwidth ? rates : times).rows.push_back(size_row(columns, first, bytes, is_bandwidth));
  }
  if (all.front().size() > 1) {
    const auto largest = *sizes.rbegin();
    for (const auto* config : all.front()) {
      std::vector<const Result*> same;
      for (const auto& results : all) {
        const auto found = std::find_if(results.begin(), results.end(), [&](const Result* other) {
          return streams_of(*other) == streams_of(*config);
        });
        same.push_back(found == results.end() ? nullptr : *found);
      }
      auto row = size_row(columns, same, largest, true);
      row.label = streams_text(*config);
      row.streams = socket_count(*config);
      rates.rows.push_back(std::move(row));
    }
  }
  if (!times.rows.empty()) tables.push_back(std::move(times));
  if (!rates.rows.empty()) tables.push_back(std::move(rates));
}

// ---- pairs ----

using PairValues = std::map<std::pair<int, int>, double>;
using Member = std::optional<double> PairResult::*;

PairValues pair_values(const Column& column, std::string_view direction, Member member) {
  PairValues values;
  for (const auto* result : results_of(column, "tcp-pairs", std::nullopt)) {
    if (plan::unfit(*result)) continue;
    for (const auto& pair : result->pairs) {
      if (pair.direction == direction && pair.status == model::Status::kOk && pair.*member) {
        values[{pair.src, pair.dst}] = *(pair.*member);
      }
    }
  }
  return values;
}

ComparedCell pair_cell(const PairValues& mine, const PairValues& base, bool is_baseline,
                       const Terms& terms) {
  ComparedCell cell;
  std::vector<double> values;
  std::vector<double> left;
  std::vector<double> right;
  for (const auto& [pair, value] : mine) {
    values.push_back(value);
    if (const auto other = base.find(pair); other != base.end()) {
      left.push_back(value);
      right.push_back(other->second);
    }
  }
  if (values.empty()) {
    cell.reason = "no pair was measured";
    return cell;
  }
  cell.value = stats::median(values);
  if (const auto range = stats::median_interval(values)) {
    cell.low = range->low;
    cell.high = range->high;
  }
  if (is_baseline) {
    cell.against = Against::kBaseline;
  } else {
    set_ratio(cell, left, right, terms);
  }
  return cell;
}

struct PairQuantity {
  const char* label;
  const char* direction;
  Member member;
};

/// Rows of the median over all pairs; the ratio pair by pair, as the same nodes have it.
void add_pair_table(std::span<const Column> columns, const char* quantity, const char* unit,
                    bool is_more_better, std::span<const PairQuantity> rows,
                    std::vector<ComparedTable>& tables) {
  ComparedTable table{.probe = "tcp-pairs",
                      .variant = std::nullopt,
                      .quantity = quantity,
                      .unit = unit,
                      .is_more_better = is_more_better,
                      .rows = {}};
  for (const auto& quantity_row : rows) {
    ComparedRow row{.label = quantity_row.label, .bytes = {}, .cells = {}};
    const auto base = pair_values(columns[0], quantity_row.direction, quantity_row.member);
    bool is_measured = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool is_separate = columns[i].record != columns[0].record;
      const Terms terms{.is_paired = true,
                        .is_separate = is_separate,
                        .is_more_better = is_more_better,
                        .floor = !is_more_better ? kSeparateLatencyFloor
                                 : is_separate   ? kSeparateFloor
                                                 : kInterleavedFloor};
      row.cells.push_back(
          pair_cell(pair_values(columns[i], quantity_row.direction, quantity_row.member), base,
                    i == 0, terms));
      is_measured = is_measured || row.cells.back().value;
    }
    if (is_measured) table.rows.push_back(std::move(row));
  }
  if (!table.rows.empty()) tables.push_back(std::move(table));
}

}  // namespace

std::vector<ComparedTable> tables_of(std::span<const Column> columns) {
  std::vector<Kind> kinds;
  for (const auto& column : columns) {
    for (const auto* result : column.results) {
      const bool is_known = std::any_of(kinds.begin(), kinds.end(), [&](const Kind& kind) {
        return kind.probe == result->probe && kind.variant == result->variant;
      });
      if (!is_known) kinds.push_back({result->probe, result->variant});
    }
  }
  std::vector<ComparedTable> tables;
  for (const auto& kind : kinds) {
    if (kind.probe == "tcp-pairs") {
      constexpr std::array<PairQuantity, 2> kRates{
          {{"one way", "one-way", &PairResult::gbit_per_s},
           {"both ways", "both", &PairResult::gbit_per_s}}};
      constexpr std::array<PairQuantity, 2> kTimes{
          {{"latency p50", "one-way", &PairResult::latency_us_p50},
           {"latency p99", "one-way", &PairResult::latency_us_p99}}};
      add_pair_table(columns, "bandwidth", "Gbit/s", true, kRates, tables);
      add_pair_table(columns, "latency", "us", false, kTimes, tables);
    } else {
      add_size_tables(columns, kind, tables);
    }
  }
  return tables;
}

}  // namespace ringwise::compare
