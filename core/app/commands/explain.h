// `ringwise explain`: what is wrong, from run records.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/commands/command.h"

namespace ringwise::app {

struct ExplainOptions {
  std::vector<std::string> runs;
  std::string format = "text";
  std::string fail_on = "warning";
};

[[nodiscard]] Outcome run_explain(std::span<const std::string> args);

}  // namespace ringwise::app
