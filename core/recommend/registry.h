// Every kind of advice that can be drawn from a record.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/advice.h"
#include "recommend/evidence.h"

namespace ringwise::recommend {

/// One kind of advice; its function is pure and lies in advice/.
struct AdviceRow {
  std::string_view id;       ///< slug, also the name of its page docs/advice/<id>.md
  std::string_view summary;  ///< one line for the docs
  /// What the evidence gives: values with their reasons, or "leave unset", or "not enough
  /// evidence" in words. Never nothing at all.
  std::vector<model::Advice> (*advise)(const Evidence&);
};

/// In the order in which they are shown.
[[nodiscard]] std::span<const AdviceRow> advice_rows();

}  // namespace ringwise::recommend
