#include "plan/socket_sweep.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "knowledge/socket_facts.h"

namespace ringwise::plan {
namespace {

/// Of what is certain, a difference below this inside one run is not worth a larger setting.
constexpr double kNoise = 1.01;

bool is_default(const model::Result& result, const SocketPlan& defaults) {
  if (result.threads.value_or(-1) != defaults.threads) return false;
  return defaults.threads == 0 || result.sockets.value_or(-1) == defaults.sockets_per_thread;
}

/// Held against the best block by block: a default that varies must not hide what is lost.
bool is_behind(const SocketTrial& one, const SocketTrial& best) {
  if (&one == &best) return false;
  const auto behind = large_gain(*best.result, *one.result);
  if (!behind) return one.over_default.high < best.over_default.low;
  return behind->low > kNoise || behind->factor >= kLeastGain;
}

}  // namespace

std::string SocketTrial::text() const {
  return threads() == 0
             ? "no helper thread"
             : fmt::format("{} thread{} x {} socket{}", threads(), threads() == 1 ? "" : "s",
                           sockets(), sockets() == 1 ? "" : "s");
}

std::optional<SocketPlan> agreed_socket_plan(
    std::span<const std::optional<std::string>> pci_vendors) {
  std::optional<SocketPlan> agreed;
  for (const auto& vendor : pci_vendors) {
    auto found = socket_plan(vendor, {});
    if (agreed && !(agreed->threads == found.threads &&
                    agreed->sockets_per_thread == found.sockets_per_thread)) {
      return std::nullopt;
    }
    agreed = std::move(found);
  }
  return agreed;
}

SocketSweep socket_sweep(std::span<const model::Result* const> results, const SocketPlan& defaults,
                         int preferred_channels) {
  SocketSweep sweep;
  for (const auto* result : results) {
    if (!result->channels || !is_default(*result, defaults)) continue;
    const int channels = *result->channels;
    const bool is_better = sweep.base == nullptr || channels == preferred_channels ||
                           (sweep.channels != preferred_channels && channels < sweep.channels);
    if (!is_better) continue;
    sweep.base = result;
    sweep.channels = channels;
  }
  if (sweep.base == nullptr) return sweep;
  for (const auto* result : results) {
    if (result == sweep.base || result->channels != sweep.channels) continue;
    if (const auto found = large_gain(*result, *sweep.base)) {
      sweep.others.push_back({.result = result, .over_default = *found});
    } else {
      ++sweep.unmatched;
    }
  }
  return sweep;
}

const SocketTrial* best_of(const SocketSweep& sweep) {
  const auto best = std::max_element(
      sweep.others.begin(), sweep.others.end(),
      [](const auto& a, const auto& b) { return a.over_default.factor < b.over_default.factor; });
  return best == sweep.others.end() ? nullptr : &*best;
}

const SocketTrial* smallest_of_the_best(const SocketSweep& sweep) {
  const auto* best = best_of(sweep);
  const SocketTrial* chosen = nullptr;
  for (const auto& one : sweep.others) {
    const auto& over = one.over_default;
    if (!over.is_faster() || over.factor < kLeastGain || is_behind(one, *best) ||
        one.data_sockets() > knowledge::kMaxDataSockets) {
      continue;
    }
    const auto cost = [](const SocketTrial& t) { return std::pair(t.data_sockets(), t.threads()); };
    if (chosen == nullptr || cost(one) < cost(*chosen)) chosen = &one;
  }
  return chosen;
}

}  // namespace ringwise::plan
