// --quiet and --verbose, the same in every command. Private to core/app.
#pragma once

#include <CLI/CLI.hpp>

#include "base/log.h"

namespace ringwise::app {

struct LogOptions {
  bool is_quiet = false;
  bool is_verbose = false;

  [[nodiscard]] base::LogLevel level() const {
    if (is_quiet) return base::LogLevel::kQuiet;
    return is_verbose ? base::LogLevel::kVerbose : base::LogLevel::kNormal;
  }
};

/// Adds -q,--quiet and -v,--verbose, which exclude each other.
inline void add_log_options(CLI::App& command, LogOptions& options) {
  auto* quiet = command.add_flag("-q,--quiet", options.is_quiet, "Errors only on standard error");
  auto* verbose = command.add_flag("-v,--verbose", options.is_verbose, "Say what is being done");
  quiet->group("Output")->excludes(verbose);
  verbose->group("Output");
}

}  // namespace ringwise::app
