#include "plan/path_mtu.h"

#include <algorithm>

namespace ringwise::plan {

PathMtuSearch::PathMtuSearch(PathMtuLimits limits) : limits_(limits) {
  limits_.device = std::max(limits_.device, 1);
  limits_.route = std::clamp(limits_.route, 1, limits_.device);
  limits_.floor = std::clamp(limits_.floor, 1, limits_.route);
}

bool PathMtuSearch::is_decided(int size) const {
  return size <= largest_ || lost_.contains(size);
}

std::optional<int> PathMtuSearch::largest() const {
  return largest_ > 0 ? std::optional(largest_) : std::nullopt;
}

std::optional<int> PathMtuSearch::smallest_lost() const {
  const auto found = lost_.upper_bound(largest_);
  return found == lost_.end() ? std::nullopt : std::optional(*found);
}

void PathMtuSearch::arrived(int size) {
  largest_ = std::max(largest_, size);
}

void PathMtuSearch::lost(int size) {
  lost_.insert(size);
}

std::vector<int> PathMtuSearch::next() const {
  std::vector<int> sizes;
  const auto want = [&](int size) {
    if (!is_decided(size) && (sizes.empty() || sizes.back() != size)) sizes.push_back(size);
  };
  if (!lost_.contains(limits_.route) || largest_ >= limits_.route) {
    want(limits_.route);
    want(limits_.device);
    return sizes;
  }
  // Not even the smallest came: another size will not either.
  if (largest_ == 0 && lost_.contains(limits_.floor)) return sizes;
  if (largest_ == 0) want(limits_.floor);
  const int below = std::max(largest_, limits_.floor);
  const int above = smallest_lost().value_or(limits_.route);
  constexpr int kParts = static_cast<int>(kSizesAtOnce) + 1;
  for (int part = 1; part < kParts; ++part) {
    const int size = below + static_cast<int>(static_cast<long>(above - below) * part / kParts);
    if (size > below && size < above) want(size);
  }
  return sizes;
}

}  // namespace ringwise::plan
