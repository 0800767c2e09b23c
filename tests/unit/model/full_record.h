// A run record in which every member of every type has a value of its own.
#pragma once

#include <vector>

#include "model/advice.h"
#include "model/record.h"

namespace ringwise::model::test {

[[nodiscard]] RunRecord full_record();
[[nodiscard]] Host full_host();
[[nodiscard]] Result full_result();
[[nodiscard]] std::vector<Advice> full_advice();

}  // namespace ringwise::model::test
