#include "app/commands/runs.h"

#include <filesystem>

#include "model/read_run.h"

namespace ringwise::app {

std::vector<NamedRun> read_runs(std::span<const std::string> paths) {
  std::vector<NamedRun> runs;
  std::vector<std::filesystem::path> journals;
  std::string journal_name;
  for (const auto& path : paths) {
    if (path.ends_with(".journal")) {
      if (journals.empty()) journal_name = path;
      journals.emplace_back(path);
    } else {
      runs.push_back({.name = path, .record = model::read_run(std::filesystem::path(path))});
    }
  }
  if (!journals.empty()) {
    runs.push_back({.name = journal_name, .record = model::read_run(journals)});
  }
  return runs;
}

}  // namespace ringwise::app
