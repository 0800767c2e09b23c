#include "recommend/choose_mode.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <string_view>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/usable.h"

namespace ringwise::recommend {
namespace {

constexpr std::uint64_t kFrom = std::uint64_t{4} << 20;

/// The fastest usable measurement of one size.
struct Best {
  const model::SizeResult* size = nullptr;
  const model::Result* result = nullptr;
  std::size_t run = 0;
};

struct Candidate {
  std::string mode;
  const ModeKind* kind = nullptr;
  std::map<std::uint64_t, Best> best;  ///< by size; empty: nothing that can be compared
  std::optional<std::string> ruled_out;
};

/// The untuned wire results of a mode.
std::map<std::uint64_t, Best> best(std::span<const Usable> usable, std::string_view mode) {
  std::map<std::uint64_t, Best> found;
  for (const auto& one : usable) {
    if (one.mode != mode || one.result->probe != "tcp-allreduce" || one.result->variant != "wire" ||
        !one.result->settings.empty()) {
      continue;
    }
    for (const auto& size : one.result->sizes) {
      if (!plan::is_usable(size) || size.bytes < kFrom || !size.low || !size.high) continue;
      auto& here = found[size.bytes];
      if (here.size == nullptr || *size.low > *here.size->low) {
        here = {.size = &size, .result = one.result, .run = one.run};
      }
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

/// Both at the largest size that they share.
struct Common {
  Best mine;
  Best other;
};
std::optional<Common> common(const Candidate& mine, const Candidate& other) {
  for (const auto& [bytes, best] : std::views::reverse(mine.best)) {
    if (const auto found = other.best.find(bytes); found != other.best.end()) {
      return Common{best, found->second};
    }
  }
  return std::nullopt;
}

/// Why two modes cannot be compared; absent when they can.
std::optional<std::string> why_not_compared(const Candidate& mine, const Candidate& other) {
  const auto both = common(mine, other);
  if (!both) {
    return fmt::format("no size of at least {} was measured well enough in both",
                       base::format_bytes(kFrom));
  }
  const auto& a = *both->mine.result;
  const auto& b = *both->other.result;
  if (a.ranks == b.ranks && a.nodes == b.nodes) return std::nullopt;
  return fmt::format("{} ranks on {} hosts, and {} on {}", a.ranks, a.nodes, b.ranks, b.nodes);
}

std::string rate_of(const model::SizeResult& size) {
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", size.busbw_gbyte_per_s.value_or(*size.low),
                     *size.low, *size.high);
}

/// Whether the costlier `then` is worth it beside `now`, and the numbers in `notes`.
bool is_worth_it(const Candidate& now, const Candidate& then, std::vector<std::string>& notes) {
  if (const auto why = why_not_compared(then, now)) {
    notes.push_back(fmt::format("{} and {} cannot be compared: {}", base::printable(then.mode),
                                base::printable(now.mode), *why));
    return false;
  }
  const auto both = *common(then, now);
  const double least = *both.mine.size->low / *both.other.size->high;
  const bool is_worth = least >= then.kind->gain;
  notes.push_back(fmt::format(
      "{} reads {} GB/s at {}, {} {}: at least {:.3f} of it, {} the {:.2f} that its cost asks "
      "for{}",
      base::printable(then.mode), rate_of(*both.mine.size),
      base::format_bytes(both.mine.size->bytes), base::printable(now.mode),
      rate_of(*both.other.size), least, is_worth ? "at or above" : "below", then.kind->gain,
      both.mine.run == both.other.run ? "" : "; the runs were not interleaved"));
  return is_worth;
}

std::string alternative(const Candidate& other, const Candidate& chosen) {
  std::string text = base::printable(other.mode) + ": ";
  if (other.ruled_out) text += "ruled out: " + *other.ruled_out + "; ";
  if (const auto why = why_not_compared(other, chosen)) {
    text += fmt::format("its rate cannot be compared with {}'s: {}", base::printable(chosen.mode),
                        *why);
  } else {
    const auto both = *common(other, chosen);
    const auto& mine = *both.mine.size;
    const auto& its = *both.other.size;
    text += fmt::format(
        "{:.3f} ({:.3f} to {:.3f}) of {}'s rate at {}",
        mine.busbw_gbyte_per_s.value_or(*mine.low) / its.busbw_gbyte_per_s.value_or(*its.low),
        *mine.low / *its.high, *mine.high / *its.low, base::printable(chosen.mode),
        base::format_bytes(mine.bytes));
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
  // A mode without a usable measurement is no choice beside one that has some.
  const bool is_any_measured = std::any_of(modes.begin(), modes.end(), [](const auto& mode) {
    return !mode.ruled_out && !mode.best.empty();
  });
  for (const auto& mode : modes) {
    if (mode.ruled_out || (is_any_measured && mode.best.empty())) continue;
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
