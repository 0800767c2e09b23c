#include "probe/ring_plan.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ringwise::probe {
namespace {

/// Twice what the token bucket of a shaped link usually holds (1 MB; tc-tbf(8) asks for at least
/// rate / HZ, which is 500 KB at 1 Gbit/s and HZ = 250).
constexpr double kSettleBytes = 2 << 20;
constexpr double kSettleSeconds = 0.03;
/// Operations; a payload that would need more of them is one that a link hardly notices.
constexpr double kMostSettle = 1000;

}  // namespace

int settle_operations(const RingLoad& load) {
  if (load.sent_bytes == 0 || load.op_s <= 0) return 1;
  const double by_bytes = std::ceil(kSettleBytes / static_cast<double>(load.sent_bytes));
  const bool is_tiny = by_bytes > kMostSettle;
  const double op_s = is_tiny || load.timed_s <= 0 ? load.op_s : load.timed_s;
  const double by_time = std::ceil(kSettleSeconds / op_s);
  return static_cast<int>(std::clamp(std::min(by_bytes, by_time), 1.0, kMostSettle));
}

double least_seconds(const RingLoad& load, int blocks) {
  return load.op_s * static_cast<double>(settle_operations(load) + kMinTimed) * blocks;
}

void raise_to_smaller(std::span<RingLoad> loads) {
  std::vector<RingLoad*> by_size;
  for (auto& load : loads) by_size.push_back(&load);
  std::stable_sort(by_size.begin(), by_size.end(), [](const RingLoad* a, const RingLoad* b) {
    return a->sent_bytes < b->sent_bytes;
  });
  std::map<std::size_t, double> slowest_s;
  for (auto* load : by_size) {
    if (load->op_s <= 0) continue;
    auto& slowest = slowest_s[load->series];
    slowest = std::max(slowest, load->op_s);
    load->timed_s = load->op_s;
    load->op_s = slowest;
  }
}

std::vector<RingIterations> plan_iterations(std::span<const RingLoad> loads, int blocks,
                                            double left_s) {
  double least = 0;
  int measured = 0;
  for (const auto& load : loads) {
    least += least_seconds(load, blocks);
    measured += load.op_s > 0 ? 1 : 0;
  }
  const double extra_s = std::max(0.0, left_s - least) / std::max(1, measured * blocks);
  std::vector<RingIterations> plan;
  for (const auto& load : loads) {
    RingIterations iterations;
    iterations.settle = settle_operations(load);
    if (load.op_s > 0) {
      const double more = std::min(extra_s / load.op_s, static_cast<double>(kMaxTimed));
      iterations.timed = std::min(kMinTimed + static_cast<int>(more), kMaxTimed);
    }
    plan.push_back(iterations);
  }
  return plan;
}

}  // namespace ringwise::probe
