// memory-copy: what copying host memory gives on each rank, all ranks at once.
#pragma once

#include "model/record.h"
#include "probe/stage.h"

namespace ringwise::probe {

/// One result: time of one copy by size, up to 16 MiB; algbw counts the bytes copied once (they
/// are read and written). Collective. Throws Error.
void run_memory_copy(StageContext& context, model::StageReport& report);

}  // namespace ringwise::probe
