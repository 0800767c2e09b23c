#include "stats/percentile.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/error.h"

namespace ringwise::stats {

double median(std::span<const double> values) {
  return percentile(values, 50);
}

double percentile(std::span<const double> values, double percent) {
  if (values.empty()) throw Error(ErrorKind::kInternal, "percentile of no values");
  if (!(percent >= 0 && percent <= 100)) {
    throw Error(ErrorKind::kInternal, "percentile outside 0 to 100");
  }
  const double position = static_cast<double>(values.size() - 1) * percent / 100;
  const double below = std::floor(position);
  const double share = position - below;
  std::vector<double> work(values.begin(), values.end());
  const auto lower = work.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(work.begin(), lower, work.end());
  if (share == 0) return *lower;
  const double upper = *std::min_element(lower + 1, work.end());
  return *lower + share * (upper - *lower);
}

double percentile_of_blocks(std::span<const std::vector<double>> blocks, double percent) {
  if (blocks.empty() || !(percent >= 0 && percent <= 100)) {
    throw Error(ErrorKind::kInternal, "percentile of no block, or outside 0 to 100");
  }
  std::vector<std::pair<double, double>> weighed;
  for (const auto& block : blocks) {
    if (block.empty()) throw Error(ErrorKind::kInternal, "percentile of an empty block");
    const double weight = 1.0 / static_cast<double>(block.size());
    for (const double value : block) weighed.emplace_back(value, weight);
  }
  std::sort(weighed.begin(), weighed.end());
  const double wanted = static_cast<double>(blocks.size()) * percent / 100;
  double below = 0;
  for (const auto& [value, weight] : weighed) {
    below += weight;
    if (below >= wanted) return value;
  }
  return weighed.back().first;
}

double mad(std::span<const double> values) {
  const double middle = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return median(distances);
}

}  // namespace ringwise::stats
