// What the exit status of every ringwise program means.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace ringwise::app {

/// The same everywhere. CLI11's own codes never leave a program.
enum class ExitCode : int {
  kOk = 0,            ///< pass, or nothing found at the --fail-on level
  kFindings = 1,      ///< a gate failed, or findings at or above the level
  kUsage = 2,         ///< wrong options, or unreadable input
  kNotMeasured = 3,   ///< launch failed, world or record incomplete, time-out
  kRefused = 4,       ///< permission, memlock, Pod Security, busy fabric
  kInconclusive = 5,  ///< too noisy, or too few samples
  kSkipped = 77,      ///< nothing to do on this machine
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view meaning;  ///< one line, no full stop
};

/// Every code, ascending.
[[nodiscard]] std::span<const ExitCodeRow> exit_codes();

/// The paragraph "Exit codes:" that closes every --help.
[[nodiscard]] std::string exit_codes_help();

[[nodiscard]] ExitCode exit_code_of(ErrorKind kind);

}  // namespace ringwise::app
