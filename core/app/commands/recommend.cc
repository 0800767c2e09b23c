#include "app/commands/recommend.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/cli.h"
#include "app/commands/runs.h"
#include "app/log_options.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "knowledge/vendor_profiles.h"
#include "model/json.h"
#include "recommend/env_files.h"
#include "recommend/pod_files.h"
#include "recommend/recommend.h"
#include "report/advice_text.h"

namespace ringwise::app {
namespace {

namespace fs = std::filesystem;
using recommend::OutputFile;
using recommend::Recommendation;

std::vector<OutputFile> files_of(const Recommendation& recommendation) {
  auto files =
      recommend::env_files(recommendation.advice, recommendation.hosts, recommendation.origin);
  if (recommendation.pod) {
    for (auto& file :
         recommend::pod_files(*recommendation.pod, recommendation.advice, recommendation.origin)) {
      files.push_back(std::move(file));
    }
  }
  files.push_back({"advice.json", model::to_json(recommendation.advice)});
  return files;
}

/// Files of an earlier call that this one does not write would pass for its advice.
void remove_stale(const fs::path& directory, const std::vector<OutputFile>& files,
                  const base::Log& log) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(directory, code)) {
    const auto name = entry.path().filename().string();
    const bool is_kind =
        (name.starts_with("nccl.") && name.ends_with(".conf")) || name.starts_with("pod.");
    const bool is_written = std::any_of(files.begin(), files.end(),
                                        [&](const auto& file) { return file.name == name; });
    if (!is_kind || is_written || !entry.is_regular_file(code)) continue;
    const auto text = base::read_text(entry.path());
    if (!text || !text->starts_with(recommend::kMark)) continue;
    if (fs::remove(entry.path(), code))
      log.info("removed " + entry.path().string() + ": out of date");
  }
}

/// A person's own files of these names are not overwritten.
void refuse_foreign(const fs::path& directory, const std::vector<OutputFile>& files) {
  for (const auto& file : files) {
    const auto path = directory / file.name;
    const auto text = base::read_text(path);
    std::error_code code;
    if (!text && !fs::exists(path, code)) continue;
    const bool is_own =
        text &&
        (text->empty() || text->starts_with(recommend::kMark) ||
         (file.name == "advice.json" && text->find("\"schema_version\"") != std::string::npos));
    if (is_own) continue;
    throw Error(ErrorKind::kUsage,
                fmt::format("--output: {} exists and was not written by ringwise recommend",
                            base::printable(path.string())));
  }
}

std::vector<std::string> write(const fs::path& directory, const std::vector<OutputFile>& files,
                               const base::Log& log) {
  std::error_code code;
  fs::create_directories(directory, code);
  if (code) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--output: {}: {}", base::printable(directory.string()), code.message()));
  }
  refuse_foreign(directory, files);
  remove_stale(directory, files, log);
  std::vector<std::string> paths;
  for (const auto& file : files) {
    base::write_atomically(directory / file.name, file.text);
    paths.push_back((directory / file.name).string());
  }
  return paths;
}

constexpr const char* kRdma = "rdma";
constexpr const char* kNetworkPolicy = "network-policy";

const std::map<std::string, recommend::PodSecurity>& security_levels() {
  static const std::map<std::string, recommend::PodSecurity> kLevels{
      {"privileged", recommend::PodSecurity::kPrivileged},
      {"baseline", recommend::PodSecurity::kBaseline},
      {"restricted", recommend::PodSecurity::kRestricted}};
  return kLevels;
}

std::set<std::string> providers() {
  std::set<std::string> names;
  for (const auto& profile : knowledge::vendor_profiles()) names.emplace(profile.provider);
  return names;
}

/// What the record cannot know: it decides which of the measured modes may be advised.
void add_constraints(CLI::App& command, RecommendOptions& options) {
  const auto names = providers();
  command
      .add_option("--needs", options.needs,
                  "What the job cannot do without: rdma, network-policy (comma list)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({kRdma, kNetworkPolicy}))
      ->type_name("LIST")
      ->group("The job and its cluster");
  command
      .add_option("--pod-security", options.pod_security,
                  "Pod Security level of the namespace: privileged, baseline, restricted")
      ->check(CLI::IsMember(security_levels()))
      ->type_name("LEVEL")
      ->group("The job and its cluster");
  command
      .add_option("--provider", options.provider,
                  "Whose machines: " + base::join({names.begin(), names.end()}, ", ") +
                      "; seen from the devices where possible")
      ->check(CLI::IsMember(names))
      ->type_name("NAME")
      ->group("The job and its cluster");
  command.add_option("--ssh-port", options.ssh_port, "Port of the job's sshd, if it has one")
      ->check(CLI::Range(1, 65535))
      ->type_name("PORT")
      ->group("The job and its cluster");
}

recommend::Constraints constraints_of(const RecommendOptions& options) {
  const auto needs = [&](const char* name) {
    return std::find(options.needs.begin(), options.needs.end(), name) != options.needs.end();
  };
  recommend::Constraints constraints;
  constraints.needs_rdma = needs(kRdma);
  constraints.needs_network_policy = needs(kNetworkPolicy);
  if (!options.pod_security.empty()) {
    constraints.pod_security = security_levels().at(options.pod_security);
  }
  constraints.provider = options.provider;
  constraints.ssh_port = options.ssh_port;
  return constraints;
}

ExitCode code_of(const Recommendation& recommendation) {
  if (!recommendation.is_complete) return ExitCode::kNotMeasured;
  return recommendation.is_inconclusive ? ExitCode::kInconclusive : ExitCode::kOk;
}

}  // namespace

Outcome run_recommend(std::span<const std::string> args) {
  RecommendOptions options;
  LogOptions log_options;
  CLI::App command(
      "Turns run records into NCCL settings and a pod spec, each line with its reason.",
      "ringwise recommend");
  command.add_option("RUN", options.runs, kRunHelp)->required()->type_name("");
  command.add_option("-o,--output", options.directory, "Folder for the files; made if needed")
      ->type_name("DIR")
      ->capture_default_str()
      ->group("Output");
  command.add_option("--format", options.format, "text or json (the text of advice.json)")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Output");
  add_constraints(command, options);
  add_log_options(command, log_options);
  set_help(command,
           "ringwise recommend run.json -o ringwise-out\n"
           "  ringwise recommend host.json overlay.json net1.json --pod-security restricted");
  if (const auto text = parse(command, args)) return {.code = ExitCode::kOk, .out = *text};

  std::vector<recommend::InputRun> runs;
  for (auto& run : read_runs(options.runs)) {
    runs.push_back({.name = std::move(run.name), .record = std::move(run.record)});
  }
  const auto recommendation = recommend::recommend(runs, constraints_of(options));
  const base::Log log("ringwise recommend", log_options.level());
  const auto paths = write(options.directory, files_of(recommendation), log);
  Outcome outcome{.code = code_of(recommendation), .out = {}};
  outcome.out = options.format == "json" ? model::to_json(recommendation.advice)
                                         : report::advice_text(recommendation.advice,
                                                               {.origin = recommendation.origin,
                                                                .not_used = recommendation.not_used,
                                                                .files = paths});
  if (options.format == "json") {
    for (const auto& line : recommendation.not_used) log.warning("not used: " + line);
  }
  return outcome;
}

}  // namespace ringwise::app
