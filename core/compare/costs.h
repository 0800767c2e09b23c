// One sentence a mode: what it costs against the baseline, and why.
#pragma once

#include <span>
#include <vector>

#include "compare/columns.h"

namespace ringwise::compare {

/// One for each column but the first, from the tables and the path.
[[nodiscard]] std::vector<model::ComparedCost> costs_of(
    std::span<const Column> columns, std::span<const model::ComparedTable> tables);

}  // namespace ringwise::compare
