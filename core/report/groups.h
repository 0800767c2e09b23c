// Results that belong together, and what differs between them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/record.h"

namespace ringwise::report {

/// Results of one probe and variant, in the record's order; the first is what the others are
/// compared with. Points into the record.
struct Group {
  std::vector<const model::Result*> results;
  bool is_trial = false;  ///< they differ in the set of settings

  [[nodiscard]] const model::Result& first() const { return *results.front(); }
};

/// Groups in order of first appearance. In a trial, "default" comes first.
[[nodiscard]] std::vector<Group> groups(const model::RunRecord& record);

/// What sets `result` apart in its group: "nccl.env", "eth0, 4 channels x 2 threads x 1 socket".
/// Empty when nothing does.
[[nodiscard]] std::string difference(const Group& group, const model::Result& result);

/// One line of a comparison: a result at one size against the group's first at that size.
struct Compared {
  const model::Result* result = nullptr;
  const model::SizeResult* size = nullptr;
  std::optional<double> factor;  ///< median over blocks of first's time / this time; > 1 = faster
  std::optional<double> low;     ///< 95 % interval; absent below 6 blocks in common
  std::optional<double> high;
};

/// A trial: all sizes from 1 MiB; anything else: the largest size. By size, then in group order.
[[nodiscard]] std::vector<Compared> compare(const Group& group);

}  // namespace ringwise::report
