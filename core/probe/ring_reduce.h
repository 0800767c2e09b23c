// The arithmetic of the all-reduce, alone in its file so that it is compiled for speed.
#pragma once

#include <cstddef>

namespace ringwise::probe {

/// target[i] = operand[i] + received[i]; operand may be target, received overlaps neither.
void add_floats(float* target, const float* operand, const float* received, std::size_t count);

}  // namespace ringwise::probe
