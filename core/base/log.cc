#include "base/log.h"

#include <unistd.h>

#include <fmt/format.h>

namespace ringwise::base {

void Log::write(LogLevel level, std::string_view kind, std::string_view text) const {
  if (level > level_) return;
  const std::string line = fmt::format("{}: {}{}\n", prefix_, kind, text);
  // A message that cannot be written has nowhere else to go.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace ringwise::base
