// A comparison in Markdown.
#pragma once

#include <string>

#include "model/comparison.h"

namespace ringwise::report {

[[nodiscard]] std::string comparison_md(const model::Comparison& comparison);

}  // namespace ringwise::report
