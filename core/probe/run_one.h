// The one place where a failure inside a probe becomes data.
#pragma once

#include "probe/registry.h"
#include "probe/stage.h"

namespace ringwise::probe {

/// Runs the probe on this rank. What it throws becomes failed results (what was measured before
/// stays in them) and, unless another rank failed first, a problem with its place. A skipped probe
/// is one that threw Error(kUnavailable) before it measured. Collective.
[[nodiscard]] model::StageReport run_one(const Probe& probe, StageContext& context);

}  // namespace ringwise::probe
