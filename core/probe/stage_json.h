// The StageSpec as JSON: how the supervisor tells the worker what to measure.
#pragma once

#include <string>
#include <string_view>

#include "probe/stage.h"

namespace ringwise::probe {

[[nodiscard]] std::string to_json_line(const StageSpec& spec);
/// Throws Error(kInternal) when the text is not what to_json_line writes.
[[nodiscard]] StageSpec stage_spec_from_json(std::string_view text);

}  // namespace ringwise::probe
