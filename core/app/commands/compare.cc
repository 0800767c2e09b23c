#include "app/commands/compare.h"

#include <algorithm>
#include <filesystem>

#include "app/cli.h"
#include "app/commands/runs.h"
#include "app/log_options.h"
#include "compare/compare.h"
#include "model/json.h"
#include "report/comparison_csv.h"
#include "report/comparison_md.h"
#include "report/comparison_text.h"

namespace ringwise::app {
namespace {

/// A baseline that is a file and not among the runs is read as one more.
void add_baseline(CompareOptions& options) {
  if (!options.baseline) return;
  const auto& name = *options.baseline;
  if (std::find(options.runs.begin(), options.runs.end(), name) != options.runs.end()) return;
  std::error_code code;
  if (std::filesystem::exists(name, code)) options.runs.insert(options.runs.begin(), name);
}

std::string render(const model::Comparison& comparison, std::string_view format) {
  if (format == "json") return model::to_json(comparison);
  if (format == "md") return report::comparison_md(comparison);
  if (format == "csv") return report::comparison_csv(comparison);
  return report::comparison_text(comparison);
}

}  // namespace

Outcome run_compare(std::span<const std::string> args) {
  CompareOptions options;
  LogOptions log;
  CLI::App command(
      "Shows what each network mode costs against a baseline: bandwidth, latency, path, limits.",
      "ringwise compare");
  command.add_option("RUN", options.runs, kRunHelp)->required()->type_name("");
  command
      .add_option("--baseline", options.baseline,
                  "Run file, mode or interface to compare with (default: bare node or hostNetwork "
                  "where one is among the runs, else the first)")
      ->type_name("NAME");
  command.add_flag("--force", options.is_forced,
                   "Compare runs of other nodes, ranks, sizes or versions too, and mark them");
  command.add_option("--format", options.format, "text, json, md or csv")
      ->check(CLI::IsMember({"text", "json", "md", "csv"}))
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Output");
  add_log_options(command, log);
  set_help(command, "ringwise compare host.json overlay.json multus.json");
  if (const auto text = parse(command, args)) return {.code = ExitCode::kOk, .out = *text};

  add_baseline(options);
  const auto runs = read_runs(options.runs);
  std::vector<compare::InputRun> inputs;
  inputs.reserve(runs.size());
  for (const auto& run : runs) inputs.push_back({.source = run.name, .record = &run.record});
  const auto comparison =
      compare::compare(inputs, {.baseline = options.baseline, .is_forced = options.is_forced});
  return {.code = ExitCode::kOk, .out = render(comparison, options.format)};
}

}  // namespace ringwise::app
