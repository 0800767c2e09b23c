// `ringwise recommend`: settings and a pod spec from run records.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/commands/command.h"

namespace ringwise::app {

struct RecommendOptions {
  std::vector<std::string> runs;
  std::string directory = "ringwise-out";
  std::string format = "text";
};

Outcome run_recommend(std::span<const std::string> args);

}  // namespace ringwise::app
