// Findings for a person at a terminal.
#pragma once

#include <string>

#include "model/finding.h"

namespace ringwise::report {

/// The gravest first, each with evidence, what to change and why; then what could not be decided.
[[nodiscard]] std::string diagnosis_text(const model::Diagnosis& diagnosis);

}  // namespace ringwise::report
