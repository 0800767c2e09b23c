// `ringwise compare`: network modes side by side.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/commands/command.h"

namespace ringwise::app {

struct CompareOptions {
  std::vector<std::string> runs;
  std::optional<std::string> baseline;
  bool is_forced = false;
  std::string format = "text";
};

[[nodiscard]] Outcome run_compare(std::span<const std::string> args);

}  // namespace ringwise::app
