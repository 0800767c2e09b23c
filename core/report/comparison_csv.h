// A comparison as comma separated values: one row a cell.
#pragma once

#include <string>

#include "model/comparison.h"

namespace ringwise::report {

/// Columns: kind (not-comparable, number, fact, limit, cost), run, source, is_baseline, probe,
/// variant, quantity, unit, row, bytes, streams, value, low, high, ratio, ratio_low, ratio_high,
/// against, text.
[[nodiscard]] std::string comparison_csv(const model::Comparison& comparison);

}  // namespace ringwise::report
