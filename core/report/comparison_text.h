// A comparison for a person at a terminal.
#pragma once

#include <string>

#include "model/comparison.h"

namespace ringwise::report {

/// What each mode costs first, then the tables (two modes beside the baseline at a time, so that 80
/// columns hold them), the path, and the limits of hosts or containers.
[[nodiscard]] std::string comparison_text(const model::Comparison& comparison);

/// "+" better, "-" worse, "=" within noise, "?" not to be told, "" of the baseline.
[[nodiscard]] const char* mark(model::Against against);

/// "tcp-allreduce wire, busbw in GB/s, more is better".
[[nodiscard]] std::string title(const model::ComparedTable& table);

/// What intervals and marks mean, for these runs.
[[nodiscard]] std::string legend(const model::Comparison& comparison);

}  // namespace ringwise::report
