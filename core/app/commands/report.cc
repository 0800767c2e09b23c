#include "app/commands/report.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "app/cli.h"
#include "app/commands/runs.h"
#include "app/log_options.h"
#include "report/registry.h"

namespace ringwise::app {
namespace {

/// https://no-color.org: set and not empty means no colour.
bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return isatty(STDOUT_FILENO) == 1;
}

}  // namespace

Outcome run_report(std::span<const std::string> args) {
  ReportOptions options;
  LogOptions log;
  CLI::App command("Shows what a run measured: problems first, then a table for each probe.",
                   "ringwise report");
  command.add_option("RUN", options.runs, kRunHelp)->required()->type_name("");
  std::vector<std::string> formats;
  std::string help;
  for (const auto& row : report::renderers()) {
    formats.emplace_back(row.name);
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", row.name, row.help);
  }
  command.add_option("--format", options.format, help)
      ->check(CLI::IsMember(formats))
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Output");
  command.add_flag("--details", options.is_detailed, "A table for every configuration of a sweep")
      ->group("Output");
  add_log_options(command, log);
  set_help(command, "ringwise report run.json --format md > run.md");
  if (const auto text = parse(command, args)) return {.code = ExitCode::kOk, .out = *text};

  const auto runs = read_runs(options.runs);
  std::vector<report::NamedRecord> records;
  bool is_complete = true;
  for (const auto& run : runs) {
    records.push_back({.name = run.name, .record = run.record});
    is_complete = is_complete && run.record.complete;
  }
  const auto* renderer = report::find_renderer(options.format);
  return {
      .code = is_complete ? ExitCode::kOk : ExitCode::kNotMeasured,
      .out = renderer->render(records, {.has_colour = options.format == "text" && wants_colour(),
                                        .is_detailed = options.is_detailed})};
}

}  // namespace ringwise::app
