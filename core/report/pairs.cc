#include "report/pairs.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/units.h"
#include "report/format.h"
#include "stats/percentile.h"

namespace ringwise::report {
namespace {

using model::PairResult;

std::vector<int> ranks_of(const model::Result& result) {
  std::set<int> ranks;
  for (const auto& pair : result.pairs) {
    ranks.insert(pair.src);
    ranks.insert(pair.dst);
  }
  return {ranks.begin(), ranks.end()};
}

template <typename Value>
std::optional<PairMatrix> matrix(const model::Result& result, std::string title, Value value_of) {
  PairMatrix made{.title = std::move(title), .ranks = ranks_of(result), .cells = {}};
  const auto position = [&](int rank) {
    return static_cast<std::size_t>(std::lower_bound(made.ranks.begin(), made.ranks.end(), rank) -
                                    made.ranks.begin());
  };
  made.cells.assign(made.ranks.size(), std::vector<std::optional<double>>(made.ranks.size()));
  bool has_value = false;
  for (const auto& pair : result.pairs) {
    const std::optional<double> value = value_of(pair);
    if (!value) continue;
    made.cells[position(pair.src)][position(pair.dst)] = value;
    has_value = true;
  }
  if (!has_value) return std::nullopt;
  return made;
}

std::string in_words(const std::string& direction) {
  if (direction == "one-way") return "one way at a time";
  if (direction == "both") return "both ways at once";
  return base::printable(direction);
}

using PathSizes = std::array<std::optional<int>, 3>;

PathSizes sizes_of(const model::PathMtu& path) {
  return {path.device_mtu, path.route_mtu, path.forward_mtu};
}

/// The sizes that most pairs have; the smaller ones when two are as common.
PathSizes most_common_path(const model::Result& result) {
  std::map<PathSizes, std::size_t> counts;
  for (const auto& pair : result.pairs) {
    if (pair.path) ++counts[sizes_of(*pair.path)];
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? PathSizes{} : most->first;
}

std::string bytes_or_dash(const std::optional<int>& bytes) {
  return bytes ? fmt::format("{}", *bytes) : "-";
}

}  // namespace

std::vector<PairMatrix> pair_matrices(const model::Result& result) {
  std::vector<std::string> directions;
  for (const auto& pair : result.pairs) {
    if (std::find(directions.begin(), directions.end(), pair.direction) == directions.end()) {
      directions.push_back(pair.direction);
    }
  }
  std::vector<PairMatrix> matrices;
  for (const auto& direction : directions) {
    auto made =
        matrix(result, "bandwidth, Gbit/s, " + in_words(direction), [&](const PairResult& pair) {
          return pair.direction == direction ? pair.gbit_per_s : std::nullopt;
        });
    if (made) matrices.push_back(std::move(*made));
  }
  auto latency = matrix(result, "latency p50, us, half a round trip of 8 bytes",
                        [](const PairResult& pair) { return pair.latency_us_p50; });
  if (latency) matrices.push_back(std::move(*latency));
  return matrices;
}

std::optional<PairExtremes> extremes(const PairMatrix& matrix) {
  PairExtremes found;
  std::vector<double> values;
  for (std::size_t row = 0; row < matrix.cells.size(); ++row) {
    for (std::size_t column = 0; column < matrix.cells[row].size(); ++column) {
      const auto& cell = matrix.cells[row][column];
      if (!cell) continue;
      if (values.empty() || *cell < found.lowest) {
        found.lowest = *cell;
        found.lowest_src = matrix.ranks[row];
        found.lowest_dst = matrix.ranks[column];
      }
      if (values.empty() || *cell > found.highest) {
        found.highest = *cell;
        found.highest_src = matrix.ranks[row];
        found.highest_dst = matrix.ranks[column];
      }
      values.push_back(*cell);
    }
  }
  if (values.empty()) return std::nullopt;
  found.count = values.size();
  found.median = stats::median(values);
  return found;
}

std::string path_summary(const model::Result& result) {
  std::map<int, std::size_t> mtus;
  std::uint64_t total = 0;
  const PairResult* most = nullptr;
  bool has_retransmits = false;
  for (const auto& pair : result.pairs) {
    if (pair.path_mtu) ++mtus[*pair.path_mtu];
    if (!pair.retransmits) continue;
    has_retransmits = true;
    total += *pair.retransmits;
    if (most == nullptr || *pair.retransmits > *most->retransmits) most = &pair;
  }
  std::vector<std::string> parts;
  for (const auto& [mtu, pairs] : mtus) {
    const auto text = fmt::format("path MTU {} bytes", mtu);
    parts.push_back(mtus.size() == 1 ? text : fmt::format("{} ({})", text, count(pairs, "pair")));
  }
  if (has_retransmits && total == 0) parts.emplace_back("no retransmits");
  if (has_retransmits && total > 0) {
    parts.push_back(fmt::format("{}, most {} ({} -> {})", count(total, "segment") + " sent again",
                                *most->retransmits, most->src, most->dst));
  }
  return base::join(parts, ", ");
}

std::vector<std::string> path_titles() {
  return {"from", "to", "device MTU", "route MTU", "arrives"};
}

PathTable path_table(const model::Result& result, bool is_detailed) {
  constexpr std::size_t kMostRows = 24;
  const auto usual = most_common_path(result);
  PathTable table;
  std::map<std::string, std::size_t> reasons;
  for (const auto& pair : result.pairs) {
    if (!pair.path) continue;
    const auto& path = *pair.path;
    if (!path.forward_mtu) ++reasons[base::printable(path.reason.value_or("not known"))];
    const bool is_unusual =
        !path.forward_mtu || model::is_too_narrow(path) || sizes_of(path) != usual;
    if (!is_detailed && !is_unusual) continue;
    if (!is_detailed && table.rows.size() == kMostRows) {
      ++table.left_out;
      continue;
    }
    table.rows.push_back({fmt::format("{}", pair.src), fmt::format("{}", pair.dst),
                          bytes_or_dash(path.device_mtu), bytes_or_dash(path.route_mtu),
                          bytes_or_dash(path.forward_mtu)});
  }
  for (const auto& [reason, pairs] : reasons) {
    table.notes.push_back(
        fmt::format("what arrives is not known ({}): {}", count(pairs, "pair"), reason));
  }
  return table;
}

std::vector<std::string> unmeasured_pairs(const model::Result& result) {
  std::vector<std::string> lines;
  for (const auto& pair : result.pairs) {
    if (pair.status == model::Status::kOk) continue;
    lines.push_back(fmt::format("{} -> {} {}{}", pair.src, pair.dst, model::to_text(pair.status),
                                pair.reason ? ": " + base::printable(*pair.reason) : ""));
  }
  return lines;
}

}  // namespace ringwise::report
