#include "plan/pair_schedule.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <utility>

#include "base/error.h"
#include "plan/blocks.h"

namespace ringwise::plan {
namespace {

std::vector<int> participants(int ranks, const ScheduleOptions& options) {
  std::vector<int> out;
  std::set<std::string> seen;
  for (int rank = 0; rank < ranks; ++rank) {
    const bool is_leader =
        options.nodes.empty() || seen.insert(options.nodes[static_cast<std::size_t>(rank)]).second;
    if (is_leader || !options.only_leaders) out.push_back(rank);
  }
  return out;
}

/// Round `round` of the circle method over positions 0 to `seats` - 1 (`seats` even): the last
/// seat stays, the others turn.
std::vector<std::pair<std::size_t, std::size_t>> circle(std::size_t seats, std::size_t round) {
  const std::size_t turning = seats - 1;
  std::vector<std::pair<std::size_t, std::size_t>> pairs{{turning, round % turning}};
  for (std::size_t step = 1; step < seats / 2; ++step) {
    pairs.emplace_back((round + step) % turning, (round + turning - step) % turning);
  }
  return pairs;
}

/// Which rounds to take, and the order of the ranks round the table.
struct Table {
  std::vector<int> ranks;
  std::vector<std::size_t> rounds;
};

Table set_table(std::vector<int> ranks, const ScheduleOptions& options) {
  const std::size_t seats = ranks.size() + ranks.size() % 2;
  Table table{std::move(ranks), std::vector<std::size_t>(seats - 1)};
  std::iota(table.rounds.begin(), table.rounds.end(), std::size_t{0});
  if (table.ranks.size() <= static_cast<std::size_t>(std::max(options.all_rounds_up_to, 0))) {
    return table;
  }
  std::mt19937_64 random(options.seed);
  shuffle(std::span(table.ranks), random);
  shuffle(std::span(table.rounds), random);
  const auto wanted = static_cast<std::size_t>(std::max(options.sampled_rounds, 1));
  table.rounds.resize(std::min(wanted, table.rounds.size()));
  return table;
}

std::vector<Pair> seat(const Table& table, std::size_t round, const ScheduleOptions& options) {
  std::vector<Pair> pairs;
  for (const auto& [left, right] : circle(table.ranks.size() + table.ranks.size() % 2, round)) {
    if (left >= table.ranks.size() || right >= table.ranks.size()) continue;
    const auto [first, second] = std::minmax({table.ranks[left], table.ranks[right]});
    const bool is_local =
        !options.nodes.empty() && options.nodes[static_cast<std::size_t>(first)] ==
                                      options.nodes[static_cast<std::size_t>(second)];
    if (!is_local || !options.only_between_nodes) pairs.push_back({first, second});
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

Rounds rounds(int ranks, const ScheduleOptions& options) {
  if (!options.nodes.empty() && options.nodes.size() != static_cast<std::size_t>(ranks)) {
    throw Error(ErrorKind::kInternal, "pair schedule: one node for each rank is needed");
  }
  auto taking_part = participants(ranks, options);
  if (taking_part.size() < 2) return {};
  const Table table = set_table(std::move(taking_part), options);
  Rounds out;
  for (const std::size_t round : table.rounds) {
    auto pairs = seat(table, round, options);
    if (!pairs.empty()) out.push_back(std::move(pairs));
  }
  if (!options.both_orders) return out;
  const std::size_t half = out.size();
  for (std::size_t i = 0; i < half; ++i) {
    auto turned = out[i];
    for (auto& pair : turned) std::swap(pair.first, pair.second);
    out.push_back(std::move(turned));
  }
  return out;
}

}  // namespace ringwise::plan
