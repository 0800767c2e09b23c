// How ringwise programs use CLI11. Private to core/app: no public header includes CLI11.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <CLI/CLI.hpp>

namespace ringwise::app {

/// Gives `command` the --help of ringwise: purpose, grouped options with their defaults, one
/// example, exit codes.
void set_help(CLI::App& command, const std::string& example);

/// Parses `args` (without the program's name). Returns the text to print when --help was asked for.
/// Throws Error(kUsage) that names the wrong argument, and the nearest right one.
[[nodiscard]] std::optional<std::string> parse(CLI::App& command,
                                               std::span<const std::string> args);

}  // namespace ringwise::app
