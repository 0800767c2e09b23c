// Numbers side by side: a table for each probe, rows by size or by stream count.
#pragma once

#include <span>
#include <vector>

#include "compare/columns.h"

namespace ringwise::compare {

/// Sizes below this are shown as times, from it on as bus bandwidth.
inline constexpr std::uint64_t kBandwidthFrom = std::uint64_t{64} << 10;

/// In the baseline's order of probes. Cells by position in `columns`, whose first is the baseline.
[[nodiscard]] std::vector<model::ComparedTable> tables_of(std::span<const Column> columns);

}  // namespace ringwise::compare
