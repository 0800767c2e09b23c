// `ringwise system`: the facts of this host or pod.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/commands/command.h"

namespace ringwise::app {

struct SystemOptions {
  std::string format = "text";
  std::string root = "/";  ///< a folder that scripts/gather-host saved, or this machine
  std::string interface;   ///< the one whose network mode is asked for; empty = any
};

Outcome run_system(std::span<const std::string> args);

}  // namespace ringwise::app
