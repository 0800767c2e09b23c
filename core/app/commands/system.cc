#include "app/commands/system.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/cli.h"
#include "app/log_options.h"
#include "base/error.h"
#include "base/units.h"
#include "model/json.h"
#include "report/host_text.h"
#include "system/host.h"
#include "system/interface_mode.h"
#include "system/mode.h"

namespace ringwise::app {

Outcome run_system(std::span<const std::string> args) {
  SystemOptions options;
  LogOptions log;
  CLI::App command("Shows what this host or pod has: interfaces, RDMA, limits, NCCL, network mode.",
                   "ringwise system");
  command.add_option("--format", options.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Output");
  command
      .add_option("--root", options.root, "Files of another machine, saved by scripts/gather-host")
      ->type_name("DIR")
      ->capture_default_str()
      ->group("What to look at");
  command
      .add_option("--interface", options.interface,
                  "The interface whose network mode is asked for (default: any)")
      ->type_name("NAME")
      ->group("What to look at");
  add_log_options(command, log);
  set_help(command, "ringwise system --format json > node1.json");
  if (const auto text = parse(command, args)) return {.code = ExitCode::kOk, .out = *text};

  std::error_code code;
  if (!std::filesystem::is_directory(options.root, code)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--root: {} is no folder", base::printable(options.root)));
  }
  auto host = system::read_host({.root = options.root});
  const bool is_known = options.interface.empty() ||
                        std::any_of(host.interfaces.begin(), host.interfaces.end(),
                                    [&](const auto& one) { return one.name == options.interface; });
  if (!is_known) {
    throw Error(ErrorKind::kUsage, fmt::format("--interface: there is no interface named {} here",
                                               base::printable(options.interface)));
  }
  system::classify_interfaces(host, options.interface);
  const auto mode = system::detect_mode(host, options.interface);
  return {
      .code = ExitCode::kOk,
      .out = options.format == "json" ? model::to_json(host, mode) : report::host_text(host, mode)};
}

}  // namespace ringwise::app
