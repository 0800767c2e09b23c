// `ringwise report`: shows run records.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/commands/command.h"

namespace ringwise::app {

struct ReportOptions {
  std::vector<std::string> runs;  ///< run records or journals
  std::string format = "text";
  bool is_detailed = false;
};

Outcome run_report(std::span<const std::string> args);

}  // namespace ringwise::app
