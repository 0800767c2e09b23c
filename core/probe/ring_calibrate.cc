// The part of RingMeasure that decides what fits the time budget, and verifies it.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/gain.h"
#include "probe/ring_measure.h"

namespace ringwise::probe {
namespace {

/// Sizes between two asked ones are tried so that none is more than this factor beyond what is
/// known of the path.
constexpr std::size_t kProbeFactor = 8;
/// So many shares of the budget a configuration may have for the size that all are compared by.
constexpr double kMostShares = 3;

}  // namespace

void RingMeasure::calibrate(const RingCase& of, std::size_t case_index, std::size_t cases_left) {
  say("connect" + (of.label.empty() ? "" : ", " + of.label));
  std::uint64_t strays_before = of.strays ? of.strays() : 0;
  auto ring = make_ring(of, 0);
  known_s_.clear();
  const double left_s = context_.spec.budget_s - agree({})[0] - committed_s_;
  const double share_s = left_s / static_cast<double>(cases_left);
  const double committed_before_s = committed_s_;
  const bool is_swept = cases_left > 1 || case_index > 0;
  const Item* last = nullptr;
  double used_s = 0;
  double predicted_s = 0;
  for (auto* item : by_need(case_index, is_swept)) {
    // Both variants of a size are measured, or none: one is not held against the other's time.
    if (last == nullptr || last->size_index != item->size_index) {
      used_s = committed_s_ - committed_before_s;
      predicted_s = predict(ring, of, item->elements * sizeof(float), share_s);
    }
    last = item;
    // Slow settings need more than their share, and without them there is nothing to compare with.
    const bool is_needed = is_swept && is_compared_by(*item);
    const double most_s =
        is_needed ? std::max(share_s, std::min(kMostShares * share_s, left_s / 2)) : share_s;
    // Something is measured in any case: the smallest size of the first configuration.
    const bool is_certain = item->size_index == 0 && case_index == 0;
    if (is_certain || fits(*item, predicted_s, most_s - used_s)) calibrate_item(ring, of, *item);
  }
  if (of.strays) add_strays(case_index, of.strays() - strays_before);
  report_wrong(of, case_index);
}

void RingMeasure::calibrate_item(std::optional<Ring>& ring, const RingCase& of, Item& item) {
  const std::size_t bytes = item.elements * sizeof(float);
  say(fmt::format("verify {}, {}", base::format_bytes(bytes), to_text(item.variant)));
  const double mine_s = ring ? verify(*ring, of, item) : 0;
  item.load.op_s = agree({mine_s})[1];
  // What this rank sends may differ from what others do: no decision of all hangs on it.
  committed_s_ += least_seconds({item.load.op_s, bytes}, context_.spec.blocks);
  auto& known_s = known_s_[bytes];
  known_s = std::max(known_s, item.load.op_s);
  if (item.size_index == 0) smallest_s_ = known_s;
}

bool RingMeasure::is_compared_by(const Item& item) const {
  const auto& sizes = context_.spec.sizes;
  const auto first =
      std::find_if(sizes.begin(), sizes.end(), [](auto bytes) { return bytes >= plan::kLarge; });
  const auto index = static_cast<std::size_t>(first - sizes.begin());
  return item.variant == RingVariant::kWire && item.size_index == index;
}

std::vector<RingMeasure::Item*> RingMeasure::by_need(std::size_t case_index, bool is_swept) {
  std::vector<Item*> items;
  for (auto& item : items_) {
    if (item.case_index == case_index) items.push_back(&item);
  }
  const auto need = [&](const Item* item) {
    // The smallest size first: it shows what larger ones may take.
    if (!is_swept || item->size_index == 0) return 0;
    return is_compared_by(*item) ? 1 : 2;
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const Item* a, const Item* b) { return need(a) < need(b); });
  return items;
}

double RingMeasure::predict(std::optional<Ring>& ring, const RingCase& of, std::size_t bytes,
                            double share_s) {
  if (known_s_.empty()) return smallest_s_;
  const auto larger = known_s_.lower_bound(bytes);
  if (larger == known_s_.begin()) return larger->second;
  std::size_t last_bytes = std::prev(larger)->first;
  double last_s = std::prev(larger)->second;
  if (larger != known_s_.end() && larger->first == bytes) return larger->second;
  while (bytes > kProbeFactor * last_bytes && last_s * 4 * kProbeFactor < share_s) {
    last_bytes *= kProbeFactor;
    Item item;
    item.elements = last_bytes / sizeof(float);
    say("estimate " + base::format_bytes(last_bytes));
    double mine_s = 0;
    if (ring) {
      mine_s = time_operations(*ring, item, 1);
      count_payload(*ring, of, 2);
    }
    last_s = agree({mine_s})[1];
    known_s_[last_bytes] = last_s;
  }
  const double ratio = static_cast<double>(bytes) / static_cast<double>(last_bytes);
  const double predicted_s = last_s * std::max(1.0, ratio);
  return larger == known_s_.end() ? predicted_s : std::min(predicted_s, larger->second);
}

bool RingMeasure::fits(const Item& item, double predicted_s, double share_s) {
  const RingLoad load{predicted_s, item.elements * sizeof(float)};
  // The pass that verifies takes about three operations.
  const double needed_s = least_seconds(load, context_.spec.blocks) + 3 * predicted_s;
  if (needed_s <= std::max(share_s, 0.0)) return true;
  size_of(item).reason =
      fmt::format("{} blocks of it take about {:.1f} s and the time budget leaves {:.1f} s",
                  context_.spec.blocks, needed_s, std::max(share_s, 0.0));
  return false;
}

}  // namespace ringwise::probe
