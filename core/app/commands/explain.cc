#include "app/commands/explain.h"

#include <algorithm>

#include "app/cli.h"
#include "app/commands/runs.h"
#include "app/log_options.h"
#include "diagnose/diagnose.h"
#include "model/json.h"
#include "report/diagnosis_text.h"

namespace ringwise::app {
namespace {

bool is_reached(const model::Diagnosis& diagnosis, std::string_view fail_on) {
  return std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(), [&](const auto& one) {
    if (fail_on == "error") return one.severity == model::Severity::kError;
    if (fail_on == "warning") return one.severity != model::Severity::kInfo;
    return true;
  });
}

}  // namespace

Outcome run_explain(std::span<const std::string> args) {
  ExplainOptions options;
  LogOptions log;
  CLI::App command("Names what is wrong in run records, with the evidence and what to change.",
                   "ringwise explain");
  command.add_option("RUN", options.runs, kRunHelp)->required()->type_name("");
  command
      .add_option("--fail-on", options.fail_on,
                  "Exit with 1 from this severity on: info, warning or error")
      ->check(CLI::IsMember({"info", "warning", "error"}))
      ->type_name("LEVEL")
      ->capture_default_str();
  command.add_option("--format", options.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Output");
  add_log_options(command, log);
  set_help(command, "ringwise explain run.json");
  if (const auto text = parse(command, args)) return {.code = ExitCode::kOk, .out = *text};

  const auto runs = read_runs(options.runs);
  std::vector<diagnose::InputRun> inputs;
  inputs.reserve(runs.size());
  for (const auto& run : runs) inputs.push_back({.source = run.name, .record = &run.record});
  const auto diagnosis = diagnose::diagnose(inputs);
  // A run that broke off and shows no cause is no pass.
  const bool is_complete =
      std::all_of(runs.begin(), runs.end(), [](const auto& run) { return run.record.complete; });
  const bool is_measured = std::any_of(runs.begin(), runs.end(), [](const auto& run) {
    return diagnose::has_measurements(run.record);
  });
  auto code_without = is_measured ? ExitCode::kOk : ExitCode::kInconclusive;
  if (!is_complete) code_without = ExitCode::kNotMeasured;
  return {.code = is_reached(diagnosis, options.fail_on) ? ExitCode::kFindings : code_without,
          .out = options.format == "json" ? model::to_json(diagnosis)
                                          : report::diagnosis_text(diagnosis)};
}

}  // namespace ringwise::app
