// The columns of a comparison: one for each run, or for each interface that a run measured in turn.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/compare.h"

namespace ringwise::compare {

struct Column {
  model::ComparedRun run;
  const model::RunRecord* record = nullptr;
  std::vector<const model::Result*> results = {};  ///< without trials of settings and skipped ones
};

/// The baseline first. Names are distinct. Throws Error(kUsage) when options.baseline names none.
[[nodiscard]] std::vector<Column> columns_of(std::span<const InputRun> runs,
                                             const Options& options);

/// Why `other` cannot be compared with `baseline`, one line each; empty = it can.
[[nodiscard]] std::vector<std::string> differences(const Column& baseline, const Column& other);

/// The column's results of a probe and variant, in the record's order.
[[nodiscard]] std::vector<const model::Result*> results_of(
    const Column& column, std::string_view probe, const std::optional<std::string>& variant);

/// The measured interface on a host, or null. Of several used together the first.
[[nodiscard]] const model::Interface* measured_interface(const Column& column,
                                                         const model::Host& host);

}  // namespace ringwise::compare
