// What the ranks report of a stage, brought together into the results of the run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/record.h"

namespace ringwise::probe {

/// One result for each position in the ranks' lists (all ranks report the same results in the same
/// order). The slowest rank counts: block medians and p99 are the largest of the ranks, wrong
/// elements, throttling and CPU time are sums, pairs are joined, the worst path proof stands.
/// A rank without a report (absent), or with fewer results, makes the result failed.
[[nodiscard]] std::vector<model::Result> merge_results(
    std::span<const std::optional<model::StageReport>> by_rank);

/// Joins the results of several workers of one configuration: blocks measured one after the other
/// (a --settings trial) become one result with all block medians.
[[nodiscard]] std::vector<model::Result> join_blocks(
    std::span<const std::vector<model::Result>> by_worker);

/// Computes what follows from the block medians: percentiles, bandwidths and intervals.
/// busbw = algbw * 2 (n - 1) / n for all-reduce, algbw otherwise. source: nccl-tests
/// doc/PERFORMANCE.md
void summarise(model::Result& result);

}  // namespace ringwise::probe
