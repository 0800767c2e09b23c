// system: the facts of every host. They stand in the record's hosts whatever is measured; this row
// is for runs that want nothing else.
#pragma once

#include "model/record.h"
#include "probe/stage.h"

namespace ringwise::probe {

/// Adds a result without numbers. Throws nothing.
void run_system(StageContext& context, model::StageReport& report);

}  // namespace ringwise::probe
