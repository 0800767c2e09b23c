// What stands beside the numbers: the path of each run, and the limits of its hosts or containers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compare/columns.h"

namespace ringwise::compare {

/// Smallest and largest path MTU of the run's pairs, in bytes.
struct PathMtu {
  std::int64_t smallest = 0;
  std::int64_t largest = 0;
};
[[nodiscard]] std::optional<PathMtu> path_mtu(const Column& column);

/// Cells by position in `columns`, whose first is the baseline. Facts that no run has are left out.
[[nodiscard]] std::vector<model::ComparedFact> path_facts(std::span<const Column> columns);
[[nodiscard]] std::vector<model::ComparedFact> limit_facts(std::span<const Column> columns);

}  // namespace ringwise::compare
