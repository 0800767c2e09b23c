// Probe: ring all-reduce of host memory over ringwise's own sockets.
#pragma once

#include <cstddef>

#include "probe/stage.h"

namespace ringwise::probe {

/// How many configurations the stage measures: sets of interfaces x shapes of connections.
[[nodiscard]] std::size_t configurations(const StageSpec& spec);

/// One result for each interface set, shape of connections and variant. Needs two ranks: throws
/// Error(kUnavailable) with fewer. Collective. Throws Error, PlacedError.
void run_tcp_allreduce(StageContext& context, model::StageReport& report);

}  // namespace ringwise::probe
