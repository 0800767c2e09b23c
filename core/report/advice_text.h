// Advice as a person reads it.
#pragma once

#include <string>
#include <vector>

#include "model/advice.h"

namespace ringwise::report {

/// What goes with the advice.
struct AdviceContext {
  std::string origin;                 ///< the runs it was drawn from
  std::vector<std::string> not_used;  ///< results that nothing was drawn from, with why
  std::vector<std::string> files;     ///< paths that were written
};

/// Sections: what to set, in order of where it goes (env, pod, host), then what to leave unset,
/// what a trial dropped, what was not used, and the files. 80 columns.
[[nodiscard]] std::string advice_text(const std::vector<model::Advice>& advice,
                                      const AdviceContext& context);

}  // namespace ringwise::report
