// The network mode that a run was labelled with, against the one that the facts show.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/record.h"

namespace ringwise::model {

/// `Mode::detected` where the evidence does not decide.
inline constexpr std::string_view kUnknownMode = "unknown";

/// One sentence when the label names a family of modes that the detected mode is not of: the
/// label "overlay" of a run on "host". Case and '_' or '-' do not matter. Absent when nothing
/// contradicts: there is no label, the label is no word for a mode ("rack7"), or the mode is not
/// detected or unknown. Names are safe to print.
[[nodiscard]] std::optional<std::string> label_contradiction(const Mode& mode);

}  // namespace ringwise::model
