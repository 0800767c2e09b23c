// The RUN arguments of the reading commands.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/record.h"

namespace ringwise::app {

inline constexpr const char* kRunHelp =
    "Run record (run.json), a directory that holds one, or the journals of a run that was cut off";

struct NamedRun {
  std::string name;  ///< the path as it was given
  model::RunRecord record;
};

/// One run for each path, but all journals (*.journal) together are one run.
/// Throws Error(kUsage) that names the path, also of a file that is given twice.
[[nodiscard]] std::vector<NamedRun> read_runs(std::span<const std::string> paths);

}  // namespace ringwise::app
