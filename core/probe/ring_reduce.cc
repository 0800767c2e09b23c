#include "probe/ring_reduce.h"

namespace ringwise::probe {
namespace {

void add_in_place(float* __restrict target, const float* __restrict received, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) target[i] += received[i];
}

void add_apart(float* __restrict target, const float* __restrict operand,
               const float* __restrict received, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) target[i] = operand[i] + received[i];
}

}  // namespace

void add_floats(float* target, const float* operand, const float* received, std::size_t count) {
  if (target == operand) {
    add_in_place(target, received, count);
  } else {
    add_apart(target, operand, received, count);
  }
}

}  // namespace ringwise::probe
