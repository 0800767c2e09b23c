#include "plan/gain.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/usable.h"
#include "stats/interval.h"

namespace ringwise::plan {

std::string Gain::text() const {
  const auto sizes =
      from_bytes == to_bytes
          ? base::format_bytes(to_bytes)
          : fmt::format("{} to {}", base::format_bytes(from_bytes), base::format_bytes(to_bytes));
  return fmt::format("{:.3f} ({:.3f} to {:.3f}) over {}, {} blocks", factor, low, high, sizes,
                     blocks);
}

std::optional<Gain> gain(const model::Result& with, const model::Result& without,
                         std::uint64_t from_bytes) {
  std::vector<std::pair<const model::SizeResult*, const model::SizeResult*>> sizes;
  for (const auto& mine : with.sizes) {
    const auto other = std::find_if(without.sizes.begin(), without.sizes.end(),
                                    [&](const auto& size) { return size.bytes == mine.bytes; });
    if (mine.bytes < from_bytes || other == without.sizes.end()) continue;
    if (plan::is_usable(mine) && plan::is_usable(*other)) sizes.emplace_back(&mine, &*other);
  }
  if (sizes.empty()) return std::nullopt;
  Gain found{.factor = 1, .low = 1, .high = 1, .blocks = SIZE_MAX, .from_bytes = UINT64_MAX};
  for (const auto& [mine, other] : sizes) {
    found.blocks =
        std::min({found.blocks, mine->block_medians_us.size(), other->block_medians_us.size()});
    found.from_bytes = std::min(found.from_bytes, mine->bytes);
    found.to_bytes = std::max(found.to_bytes, mine->bytes);
  }
  std::vector<double> with_us;
  std::vector<double> without_us;
  for (std::size_t block = 0; block < found.blocks; ++block) {
    double log_with = 0;
    double log_without = 0;
    for (const auto& [mine, other] : sizes) {
      log_with += std::log(mine->block_medians_us[block]);
      log_without += std::log(other->block_medians_us[block]);
    }
    with_us.push_back(std::exp(log_with / static_cast<double>(sizes.size())));
    without_us.push_back(std::exp(log_without / static_cast<double>(sizes.size())));
  }
  const auto factor = stats::median_ratio(without_us, with_us);
  const auto range = stats::ratio_interval(without_us, with_us);
  if (!factor || !range) return std::nullopt;
  found.factor = *factor;
  found.low = range->low;
  found.high = range->high;
  return found;
}

std::optional<Gain> large_gain(const model::Result& with, const model::Result& without) {
  const auto large = gain(with, without, kLarge);
  return large ? large : gain(with, without, kLargeAtLeast);
}

}  // namespace ringwise::plan
