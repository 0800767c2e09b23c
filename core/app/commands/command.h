// The commands of `ringwise`, and how one of them is run.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/exit_code.h"

namespace ringwise::app {

/// What a command has to say: data for standard output and the exit code. Messages have gone to
/// standard error by then.
struct Outcome {
  ExitCode code = ExitCode::kOk;
  std::string out;
};

/// One subcommand; the table is in registry.cc, the functions in this folder.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line for `ringwise --help` and the docs
  /// `args` without the command's name. Throws Error.
  Outcome (*run)(std::span<const std::string> args);
};

/// In the order in which they are shown.
[[nodiscard]] std::span<const Command> commands();

/// `ringwise` as a whole: `args` without the program's name. Without arguments it says what to do
/// next. Throws Error.
[[nodiscard]] Outcome run_ringwise(std::span<const std::string> args);

}  // namespace ringwise::app
