#include "recommend/choose_mode.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/usable.h"

namespace ringwise::recommend {
namespace {

constexpr std::uint64_t kFrom = std::uint64_t{4} << 20;

struct Candidate {
  std::string mode;
  const ModeKind* kind = nullptr;
  const model::SizeResult* best = nullptr;  ///< null: nothing that can be compared
  std::optional<std::string> ruled_out;
};

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

/// Known modes from cheap to costly; of one cost by name, so that the order of runs is no matter.
std::vector<Candidate> candidates(std::span<const Usable> usable,
                                  std::span<const MeasuredMode> measured,
                                  const Constraints& constraints) {
  std::vector<Candidate> found;
  for (const auto& one : measured) {
    const auto* kind = kind_of(one.mode);
    if (kind == nullptr) continue;
    found.push_back({.mode = one.mode,
                     .kind = kind,
                     .best = best(usable, one.mode),
                     .ruled_out = why_ruled_out(*kind, constraints, one.runs)});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.mode < b.mode;
  });
  return found;
}

bool can_compare(const Candidate& a, const Candidate& b) {
  return a.best != nullptr && b.best != nullptr && a.best->bytes == b.best->bytes;
}

std::string not_compared(const Candidate& a, const Candidate& b) {
  return fmt::format(
      "{} and {} cannot be compared: no size of at least {} was measured well "
      "enough in both",
      base::printable(a.mode), base::printable(b.mode), base::format_bytes(kFrom));
}

/// Whether the costlier `then` is worth it beside `now`, and the numbers in `notes`.
bool is_worth_it(const Candidate& now, const Candidate& then, std::vector<std::string>& notes) {
  if (!can_compare(now, then)) {
    notes.push_back(not_compared(then, now));
    return false;
  }
  const double least = *then.best->low / *now.best->high;
  const bool is_worth = least >= then.kind->gain;
  notes.push_back(fmt::format(
      "{} reads {:.4g} GB/s ({:.4g} to {:.4g}) at {}, {} {:.4g} ({:.4g} to {:.4g}): at least "
      "{:.3f} of it, {} the {:.2f} that its cost asks for; the runs were not interleaved",
      base::printable(then.mode), then.best->busbw_gbyte_per_s.value_or(*then.best->low),
      *then.best->low, *then.best->high, base::format_bytes(then.best->bytes),
      base::printable(now.mode), now.best->busbw_gbyte_per_s.value_or(*now.best->low),
      *now.best->low, *now.best->high, least, is_worth ? "at or above" : "below", then.kind->gain));
  return is_worth;
}

std::string alternative(const Candidate& other, const Candidate& chosen) {
  std::string text = base::printable(other.mode) + ": ";
  if (other.ruled_out) text += "ruled out: " + *other.ruled_out + "; ";
  if (!can_compare(other, chosen)) {
    text += fmt::format("its rate cannot be compared with {}'s", base::printable(chosen.mode));
  } else {
    const double ratio = other.best->busbw_gbyte_per_s.value_or(*other.best->low) /
                         chosen.best->busbw_gbyte_per_s.value_or(*chosen.best->low);
    text +=
        fmt::format("{:.3f} ({:.3f} to {:.3f}) of {}'s rate at {}", ratio,
                    *other.best->low / *chosen.best->high, *other.best->high / *chosen.best->low,
                    base::printable(chosen.mode), base::format_bytes(other.best->bytes));
  }
  if (other.ruled_out) return text;
  return text + "; " +
         (other.kind->cost.empty() ? "it takes nothing in the pod and gives nothing up"
                                   : "it would cost: " + std::string(other.kind->cost));
}

}  // namespace

ModeChoice choose_mode(std::span<const Usable> usable, std::span<const MeasuredMode> measured,
                       const Constraints& constraints) {
  ModeChoice choice;
  const auto modes = candidates(usable, measured, constraints);
  const Candidate* chosen = nullptr;
  for (const auto& mode : modes) {
    if (mode.ruled_out) continue;
    if (chosen == nullptr || is_worth_it(*chosen, mode, choice.notes)) chosen = &mode;
  }
  if (chosen == nullptr) {
    std::vector<std::string> why;
    why.reserve(modes.size());
    for (const auto& mode : modes) {
      why.push_back(base::printable(mode.mode) + ": " + mode.ruled_out.value_or(""));
    }
    choice.reason = base::join(why, "; ");
    return choice;
  }
  choice.mode = chosen->mode;
  for (const auto& mode : modes) {
    if (&mode != chosen) choice.alternatives.push_back(alternative(mode, *chosen));
  }
  return choice;
}

}  // namespace ringwise::recommend
