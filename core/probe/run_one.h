// The one place where a failure inside a probe becomes data.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/error.h"
#include "probe/registry.h"
#include "probe/stage.h"

namespace ringwise::probe {

/// Runs the probe on this rank. What it throws becomes failed results (what was measured before
/// stays in them) and, unless another rank failed first, a problem with its place. A skipped probe
/// is one that threw Error(kUnavailable) before it measured. Collective.
[[nodiscard]] model::StageReport run_one(const Probe& probe, StageContext& context);

/// A failure that ended a part of a probe and not the probe.
struct Failure {
  std::string text;
  ErrorPlace place;
};

/// Runs a part that may fail on its own, one pair of many for example. Only failures of
/// measuring between ranks are taken; a bug or a usage error passes through.
[[nodiscard]] std::optional<Failure> attempt(const std::function<void()>& part);

/// Runs `part`, then `keep` whether it threw or not: what was measured before a failure stays.
void keep_after(const std::function<void()>& part, const std::function<void()>& keep);

/// The failure as a problem of this rank.
[[nodiscard]] model::Problem problem_of(const StageSpec& spec, const Failure& failure);

}  // namespace ringwise::probe
