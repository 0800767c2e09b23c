// The order of problems: what names its place before what is only a consequence.
#pragma once

#include <vector>

#include "model/record.h"

namespace ringwise::model {

/// Problems of one failure, the nearest to the cause first (docs/formats.md, `sign`): what a rank
/// sees of itself comes before what it sees of a connection, and that before what it only waits
/// for. The order of equals stays.
void sort_problems(std::vector<Problem>& problems);

}  // namespace ringwise::model
