#include "app/commands/command.h"

#include <vector>

#include <fmt/format.h>

#include "app/nearest.h"
#include "app/version.h"
#include "base/error.h"
#include "base/units.h"

namespace ringwise::app {
namespace {

constexpr const char* kPurpose =
    "Reads what ringwise-probe measured and says what it means for NCCL and the pod network.\n";

std::string command_list() {
  std::string text;
  for (const auto& command : commands()) {
    text += fmt::format("  {:<12} {}\n", command.name, command.summary);
  }
  return text;
}

std::string help_text() {
  return fmt::format(
      "{}\nUsage: ringwise COMMAND [OPTIONS]\n\nCommands (ringwise COMMAND --help says more):\n{}\n"
      "Options:\n  -h, --help   This text\n  --version    Version and features\n\n"
      "Example:\n  mpirun --bind-to none -np 2 -H node1,node2 ringwise-probe --output run.json\n"
      "  ringwise recommend run.json\n\n{}",
      kPurpose, command_list(), exit_codes_help());
}

std::string next_steps() {
  return fmt::format(
      "{}\nTo start:\n"
      "  ringwise system               what this host or pod has\n"
      "  mpirun --bind-to none -np 2 -H node1,node2 ringwise-probe --output run.json\n"
      "                                measure, one rank or more a node\n"
      "  ringwise report run.json      what was measured\n"
      "  ringwise recommend run.json   NCCL settings and a pod spec, with reasons\n\n"
      "Commands:\n{}\nringwise --help has the rest.\n",
      kPurpose, command_list());
}

}  // namespace

Outcome run_ringwise(std::span<const std::string> args) {
  if (args.empty()) return {.code = ExitCode::kOk, .out = next_steps()};
  const auto& first = args.front();
  if (first == "--help" || first == "-h" || first == "help") {
    if (first == "help" && args.size() > 1) {
      const std::vector<std::string> asked{args[1], "--help"};
      return run_ringwise(asked);
    }
    return {.code = ExitCode::kOk, .out = help_text()};
  }
  if (first == "--version") return {.code = ExitCode::kOk, .out = version_text("ringwise")};
  std::vector<std::string> names;
  for (const auto& command : commands()) {
    if (command.name == first) return command.run(args.subspan(1));
    names.emplace_back(command.name);
  }
  const auto meant = nearest(first, names);
  throw Error(ErrorKind::kUsage,
              fmt::format("'{}' is no command{} (see ringwise --help)", base::printable(first),
                          meant ? fmt::format("; {}?", *meant) : std::string()));
}

}  // namespace ringwise::app
