#include "plan/usable.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"
#include "stats/interval.h"

namespace ringwise::plan {

using model::Result;
using model::Status;

bool is_usable(const model::SizeResult& size) {
  return size.verified && size.wrong.value_or(0) == 0 &&
         size.block_medians_us.size() >= stats::kMinSamples && size.time_us_p50;
}

std::optional<Unfit> unfit(const Result& result) {
  if (result.status != Status::kOk) {
    return Unfit{"it failed: " + base::printable(result.reason.value_or("no reason recorded"))};
  }
  if (result.provenance != "measured") {
    return Unfit{"it is " + base::printable(result.provenance) + ", not measured"};
  }
  if (result.path_proof.state == model::ProofState::kContradicted) {
    return Unfit{"its bytes took another path: " + base::printable(result.path_proof.reason)};
  }
  if (std::any_of(result.sizes.begin(), result.sizes.end(),
                  [](const auto& size) { return size.wrong.value_or(0) > 0; })) {
    return Unfit{"it delivered wrong data"};
  }
  if (result.background_share.value_or(0) > kBackgroundLimit) {
    return Unfit{fmt::format("other traffic used {:.2g} % of the link (limit {:.2g} %)",
                             *result.background_share * 100, kBackgroundLimit * 100),
                 true};
  }
  if (result.cpu_throttled_us.value_or(0) > 0) {
    return Unfit{fmt::format("the CPU quota stopped it for {}",
                             base::format_us(static_cast<double>(*result.cpu_throttled_us))),
                 true};
  }
  if (result.sizes.empty() || std::any_of(result.sizes.begin(), result.sizes.end(), is_usable)) {
    return std::nullopt;
  }
  if (std::none_of(result.sizes.begin(), result.sizes.end(),
                   [](const auto& s) { return s.verified; })) {
    return Unfit{"its data was not verified"};
  }
  return Unfit{
      fmt::format("no size has {} blocks, the fewest that give an interval", stats::kMinSamples),
      true};
}

}  // namespace ringwise::plan
