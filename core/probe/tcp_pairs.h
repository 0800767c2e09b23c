// tcp-pairs: every pair of ranks in rounds of disjoint pairs: packet sizes that
// arrive, latency, bandwidth, retransmits.
#pragma once

#include "model/record.h"
#include "probe/stage.h"

namespace ringwise::probe {

/// Adds a result for every interface that is measured; its pairs are those that this rank sends.
/// A pair that fails is a failed pair and a problem; the other pairs go on. Between the hosts
/// only, unless all ranks are on one. Collective. Throws Error.
void run_tcp_pairs(StageContext& context, model::StageReport& report);

}  // namespace ringwise::probe
