// The network mode that a run was labelled with, against the one that the facts show.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/record.h"

namespace ringwise::model {

/// `Mode::detected` where the evidence does not decide.
inline constexpr std::string_view kUnknownMode = "unknown";

/// The detected modes that a label or a mode's own name may stand for: "macvlan" for
/// multus-macvlan, "overlay" for all of a cluster's default network. Case and '_' or '-' do not
/// matter. Empty for a label that is no word for a mode ("rack7").
[[nodiscard]] std::span<const std::string_view> modes_meant(std::string_view label);

/// One sentence when the label names a family of modes that the detected mode is not of: the
/// label "overlay" of a run on "host". Absent when nothing contradicts: there is no label, the
/// label is no word for a mode ("rack7"), or the mode is not detected or unknown. Names are safe to
/// print.
[[nodiscard]] std::optional<std::string> label_contradiction(const Mode& mode);

}  // namespace ringwise::model
