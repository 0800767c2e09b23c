// Probe: ring all-reduce between the ranks of one host through shared memory.
#pragma once

#include <string_view>

#include "probe/stage.h"

namespace ringwise::probe {

/// One result for each number of channels and each variant. Every host with two or more ranks runs
/// its own ring at the same time, and the slowest counts. Throws Error(kUnavailable) when no host
/// has two ranks or shared memory cannot be used. Collective. Throws Error, PlacedError.
void run_shm_allreduce(StageContext& context, model::StageReport& report);

/// Takes away the shared memory that workers of the run with this token left on this host when
/// they were killed. Only when none of them is at work.
void remove_shared_memory(std::string_view token);

}  // namespace ringwise::probe
