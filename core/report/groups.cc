#include "report/groups.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/units.h"
#include "report/format.h"
#include "stats/interval.h"

namespace ringwise::report {
namespace {

using model::Result;
using model::SizeResult;

constexpr std::uint64_t kTrialFrom = 1U << 20;

std::string set_name(const Result& result) {
  return result.settings_name.value_or("default");
}

const SizeResult* at_size(const Result& result, std::uint64_t bytes) {
  const auto size = std::find_if(result.sizes.begin(), result.sizes.end(),
                                 [&](const auto& s) { return s.bytes == bytes && s.time_us_p50; });
  return size == result.sizes.end() ? nullptr : &*size;
}

std::vector<std::uint64_t> compared_sizes(const Group& group) {
  std::vector<std::uint64_t> sizes;
  for (const auto& size : group.first().sizes) {
    const bool is_shared = std::all_of(group.results.begin(), group.results.end(), [&](auto* r) {
      return at_size(*r, size.bytes) != nullptr || r->status != model::Status::kOk;
    });
    if (is_shared && size.time_us_p50) sizes.push_back(size.bytes);
  }
  std::sort(sizes.begin(), sizes.end());
  if (sizes.empty()) return sizes;
  const auto from =
      group.is_trial ? std::lower_bound(sizes.begin(), sizes.end(), kTrialFrom) : sizes.end();
  sizes.erase(sizes.begin(), from == sizes.end() ? sizes.end() - 1 : from);
  return sizes;
}

void add_ratio(Compared& row, const SizeResult& first) {
  const auto blocks = std::min(first.block_medians_us.size(), row.size->block_medians_us.size());
  const auto base = std::span(first.block_medians_us).first(blocks);
  const auto mine = std::span(row.size->block_medians_us).first(blocks);
  row.factor = stats::median_ratio(base, mine);
  if (const auto range = stats::ratio_interval(base, mine)) {
    row.low = range->low;
    row.high = range->high;
  }
}

template <typename Member>
bool is_varying(const Group& group, Member member) {
  return std::any_of(group.results.begin(), group.results.end(),
                     [&](const auto* result) { return result->*member != group.first().*member; });
}

}  // namespace

std::vector<Group> groups(const model::RunRecord& record) {
  std::vector<Group> all;
  for (const auto& result : record.results) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Group& group) {
      return group.first().probe == result.probe && group.first().variant == result.variant;
    });
    if (same == all.end()) {
      all.push_back({.results = {&result}});
    } else {
      same->results.push_back(&result);
    }
  }
  for (auto& group : all) {
    group.is_trial = std::any_of(group.results.begin(), group.results.end(), [&](auto* result) {
      return set_name(*result) != set_name(group.first());
    });
    if (group.is_trial) {
      std::stable_partition(group.results.begin(), group.results.end(),
                            [](auto* result) { return set_name(*result) == "default"; });
    }
  }
  return all;
}

std::string difference(const Group& group, const Result& result) {
  std::vector<std::string> parts;
  if (group.is_trial) parts.push_back(base::printable(set_name(result)));
  if (is_varying(group, &Result::mode)) parts.push_back(base::printable(result.mode.value_or("-")));
  if (is_varying(group, &Result::interface)) {
    parts.push_back(base::printable(result.interface.value_or("-")));
  }
  if (is_varying(group, &Result::family)) {
    parts.push_back(base::printable(result.family.value_or("-")));
  }
  const auto number = [](const std::optional<int>& value) {
    return value ? fmt::format("{}", *value) : std::string("-");
  };
  if (is_varying(group, &Result::channels) || is_varying(group, &Result::threads) ||
      is_varying(group, &Result::sockets)) {
    parts.push_back(fmt::format("{} x {} x {}", number(result.channels), number(result.threads),
                                number(result.sockets)));
  }
  return base::join(parts, ", ");
}

std::vector<Compared> compare(const Group& group) {
  std::vector<Compared> rows;
  for (const auto bytes : compared_sizes(group)) {
    const auto* first = at_size(group.first(), bytes);
    for (const auto* result : group.results) {
      const auto* size = at_size(*result, bytes);
      if (size == nullptr) continue;
      rows.push_back({.result = result, .size = size, .factor = {}, .low = {}, .high = {}});
      if (result != &group.first()) add_ratio(rows.back(), *first);
    }
  }
  return rows;
}

}  // namespace ringwise::report
