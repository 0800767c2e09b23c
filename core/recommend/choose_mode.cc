#include "recommend/choose_mode.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/usable.h"

namespace ringwise::recommend {
namespace {

constexpr std::uint64_t kFrom = std::uint64_t{4} << 20;

struct Candidate {
  std::string_view mode;
  double gain;  ///< over the next cheaper one
};
constexpr std::array<Candidate, 3> kByCost{
    {{"overlay", 1.0}, {"multus", kMultusGain}, {"host", kHostGain}}};

/// The fastest usable wire result of a mode at its largest size.
const model::SizeResult* best(std::span<const Usable> usable, std::string_view mode) {
  const model::SizeResult* found = nullptr;
  for (const auto& one : usable) {
    if (one.mode != mode || one.result->probe != "tcp-allreduce" || one.result->variant != "wire" ||
        !one.result->settings.empty()) {
      continue;
    }
    for (const auto& size : one.result->sizes) {
      if (!plan::is_usable(size) || size.bytes < kFrom || !size.low || !size.high) continue;
      const bool is_larger = found == nullptr || size.bytes > found->bytes;
      const bool is_faster =
          found != nullptr && size.bytes == found->bytes && *size.low > *found->low;
      if (is_larger || is_faster) found = &size;
    }
  }
  return found;
}

}  // namespace

ModeChoice choose_mode(std::span<const Usable> usable, std::span<const std::string> measured) {
  ModeChoice choice;
  std::vector<Candidate> modes;
  for (const auto& candidate : kByCost) {
    const bool is_measured =
        std::find(measured.begin(), measured.end(), candidate.mode) != measured.end() ||
        std::any_of(usable.begin(), usable.end(),
                    [&](const auto& one) { return one.mode == candidate.mode; });
    if (is_measured) modes.push_back(candidate);
  }
  if (modes.empty()) return choice;
  choice.mode = modes.front().mode;
  for (std::size_t i = 1; i < modes.size(); ++i) {
    const auto* now = best(usable, choice.mode);
    const auto* then = best(usable, modes[i].mode);
    if (now == nullptr || then == nullptr || now->bytes != then->bytes) {
      choice.notes.push_back(
          fmt::format("{} and {} cannot be compared: no size of at least {} was "
                      "measured well enough in both",
                      modes[i].mode, choice.mode, base::format_bytes(kFrom)));
      continue;
    }
    const double least = *then->low / *now->high;
    const bool is_worth = least >= modes[i].gain;
    choice.notes.push_back(fmt::format(
        "{} reads {:.4g} GB/s ({:.4g} to {:.4g}) at {}, {} {:.4g} ({:.4g} to {:.4g}): at least "
        "{:.3f} of it, {} the {:.2f} that its cost asks for; the runs were not interleaved",
        modes[i].mode, then->busbw_gbyte_per_s.value_or(*then->low), *then->low, *then->high,
        base::format_bytes(then->bytes), choice.mode, now->busbw_gbyte_per_s.value_or(*now->low),
        *now->low, *now->high, least, is_worth ? "at or above" : "below", modes[i].gain));
    if (is_worth) choice.mode = modes[i].mode;
  }
  return choice;
}

}  // namespace ringwise::recommend
