// Rounds in which disjoint pairs of ranks measure at the same time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ringwise::plan {

struct Pair {
  int first = 0;  ///< the smaller rank, but in the second half of an ordered schedule
  int second = 0;

  friend auto operator<=>(const Pair&, const Pair&) = default;
};

struct ScheduleOptions {
  /// Node of each rank, in rank order. Empty = every rank is a node of its own.
  std::vector<std::string> nodes = {};
  bool only_between_nodes = true;  ///< leave out pairs of one node
  bool only_leaders = false;       ///< only the lowest rank of each node takes part
  bool both_orders = false;        ///< every round once more with the pairs turned round
  int all_rounds_up_to = 64;       ///< ranks; with more, `sampled_rounds` random rounds
  int sampled_rounds = 16;
  std::uint64_t seed = 0;  ///< of the sample; the same on all ranks
};

using Rounds = std::vector<std::vector<Pair>>;

/// Rounds of the circle method: no rank twice in a round, no pair twice in the schedule, every
/// wanted pair once when at most `all_rounds_up_to` ranks take part. With more, `sampled_rounds`
/// of the rounds over randomly numbered ranks: each rank is in about as many pairs as any other.
/// An odd number of ranks leaves one out of each round. Rounds without pairs are left out.
/// Throws Error(kInternal) when `nodes` is neither empty nor one for each rank.
[[nodiscard]] Rounds rounds(int ranks, const ScheduleOptions& options = {});

}  // namespace ringwise::plan
