// The pairs of a result as matrices and as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/record.h"

namespace ringwise::report {

/// cells[sender][receiver], both by position in `ranks`; absent = not measured.
struct PairMatrix {
  std::string title;
  std::vector<int> ranks;  ///< ascending
  std::vector<std::vector<std::optional<double>>> cells;
};

/// Bandwidth in Gbit/s for each direction ("one-way", "both") that was measured, then the latency
/// p50 in us. No matrix without a value.
[[nodiscard]] std::vector<PairMatrix> pair_matrices(const model::Result& result);

/// Lowest, median and highest of the cells, with their pairs.
struct PairExtremes {
  std::size_t count = 0;
  double lowest = 0, median = 0, highest = 0;
  int lowest_src = 0, lowest_dst = 0, highest_src = 0, highest_dst = 0;
};
/// Empty when no cell has a value.
[[nodiscard]] std::optional<PairExtremes> extremes(const PairMatrix& matrix);

/// Path MTUs and retransmits over all pairs, in words; empty when neither was measured.
[[nodiscard]] std::string path_summary(const model::Result& result);

/// Packet sizes on the way from rank to rank.
struct PathTable {
  /// Sender, receiver, MTU of the sender's device, of its route, and the largest that arrived; "-"
  /// = not known.
  std::vector<std::vector<std::string>> rows;
  /// Rows that were left out because there are many, 0 = none.
  std::size_t left_out = 0;
  /// Why it is not known what arrives, one line for each reason.
  std::vector<std::string> notes;
};
/// Titles of the rows' cells.
[[nodiscard]] std::vector<std::string> path_titles();
/// Pairs on which large packets are lost, of which it is not known, or that differ from most; all
/// pairs with `is_detailed`. In the record's order.
[[nodiscard]] PathTable path_table(const model::Result& result, bool is_detailed);

/// Pairs that failed or were skipped, one line each, in the record's order.
[[nodiscard]] std::vector<std::string> unmeasured_pairs(const model::Result& result);

}  // namespace ringwise::report
