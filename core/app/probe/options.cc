#include "app/probe/options.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli.h"
#include "app/probe/settings.h"
#include "app/probe/worker_process.h"
#include "app/version.h"
#include "base/error.h"
#include "base/units.h"
#include "model/json.h"
#include "plan/sizes.h"
#include "probe/registry.h"

namespace ringwise::app {
namespace {

constexpr const char* kExamples =
    "mpirun --bind-to none -np 2 -H node1,node2 ringwise-probe --interface =eth0 --output run.json";

/// Values of a comma list, or the reason why one of them is none.
std::string parse_counts(const std::vector<std::string>& texts, int low, int high,
                         std::vector<int>& into) {
  for (const auto& text : texts) {
    const auto value = base::parse_int(text);
    if (!value || *value < low || *value > high) {
      return fmt::format("'{}': expected whole numbers from {} to {}, separated by commas",
                         base::printable(text), low, high);
    }
    into.push_back(static_cast<int>(*value));
  }
  return {};
}

/// The raw texts as CLI11 fills them, before they are checked.
struct Raw {
  std::vector<std::string> probes, sizes, channels, sockets, threads;
  std::string min_bytes, max_bytes, factor, time_budget, stage_timeout;
  bool quiet = false;
  bool verbose = false;
  bool debug = false;
  bool version = false;
  bool list = false;
  std::string interface, mode, corrupt;
};

void add_what(CLI::App& app, Raw& raw, ProbeOptions& options) {
  const std::string group = "What to measure";
  app.add_option("--probes", raw.probes,
                 "Probes to run, by name (--list shows them; default: those marked there)")
      ->delimiter(',')
      ->group(group);
  app.add_option("--sizes", raw.sizes,
                 "Bytes of one all-reduce: 8,64K,4M (default 8,1K,16K,256K,1M,4M,16M,64M)")
      ->delimiter(',')
      ->group(group);
  app.add_option("--min-bytes", raw.min_bytes, "Smallest size of a range in bytes (default 8)")
      ->group(group);
  app.add_option("--max-bytes", raw.max_bytes, "Largest size of a range in bytes (default 64M)")
      ->group(group);
  app.add_option("--factor", raw.factor, "From one size to the next (default 2)")->group(group);
  app.add_option("--settings", options.settings,
                 "Compare sets of settings in fresh workers, interleaved: 'default' or files with "
                 "NAME=VALUE lines, separated by commas")
      ->delimiter(',')
      ->group(group);
  app.add_flag("--list", raw.list, "List the probes and leave")->group(group);
}

void add_where(CLI::App& app, Raw& raw, ProbeOptions& options) {
  const std::string group = "Where";
  app.add_option("--interface", raw.interface,
                 "Interfaces used together, in NCCL's grammar (=eth0  eth  ^docker) or as "
                 "addresses (10.0.0.0/16); default: as NCCL would choose")
      ->group(group);
  app.add_option("--each-interface", options.each_interface,
                 "Interfaces measured one after the other, interleaved by block (eth0,net1)")
      ->delimiter(',')
      ->group(group);
  app.add_option("--mode", raw.mode, "Label of the pod network: host, overlay, multus, ...")
      ->group(group);
}

void add_streams(CLI::App& app, Raw& raw) {
  const std::string group = "Streams (default: as NCCL would use the NIC; several values = sweep)";
  app.add_option("--channels", raw.channels, "Channels, 1 to 64")->delimiter(',')->group(group);
  app.add_option("--threads", raw.threads, "Helper threads a connection, 0 to 16")
      ->delimiter(',')
      ->group(group);
  app.add_option("--sockets", raw.sockets,
                 "Data sockets a helper thread; threads x sockets: at most 64")
      ->delimiter(',')
      ->group(group);
}

void add_bounds(CLI::App& app, Raw& raw, ProbeOptions& options) {
  const std::string group = "Bounds";
  app.add_option("--blocks", options.blocks,
                 "Blocks: repetitions with new connections (default 6; fewer gives no interval)")
      ->check(CLI::Range(1, 1000))
      ->group(group);
  app.add_option(
         "--time-budget", raw.time_budget,
         "Measuring time of the whole run (default 60s, more above 16 nodes and for sweeps: 8s "
         "a configuration)")
      ->group(group);
  app.add_option(
         "--stage-timeout", raw.stage_timeout,
         "After this time a worker of a stage is ended and counts as failed (default 20s, more "
         "where --time-budget or a sweep need it)")
      ->group(group);
  app.add_option("--expect-ranks", options.expect_ranks,
                 "Refuse a world of other size (default: what the launcher says)")
      ->check(CLI::Range(1, 10'000'000))
      ->group(group);
  app.add_option("--expect-nodes", options.expect_nodes, "Refuse another number of hosts")
      ->check(CLI::Range(1, 10'000'000))
      ->group(group);
  app.add_flag("--on-busy-fabric", options.on_busy_fabric,
               "Measure although other traffic uses more than 20 % of the link")
      ->group(group);
}

void add_output(CLI::App& app, Raw& raw, ProbeOptions& options) {
  const std::string group = "Output";
  app.add_option("-o,--output", options.output, "Run record (default run.json)")->group(group);
  auto* quiet = app.add_flag("-q,--quiet", raw.quiet, "Errors only")->group(group);
  app.add_flag("-v,--verbose", raw.verbose, "Every step of every stage")
      ->excludes(quiet)
      ->group(group);
  app.add_flag("--debug", raw.debug, "Everything")->group(group);
  app.add_flag("--version", raw.version, "Version and features")->group(group);
  app.add_option(kWorkerOption, options.worker_fd)->group("");
  app.add_option("--test-corrupt", raw.corrupt)->group("");
}

std::string check_probes(const std::vector<std::string>& names, ProbeOptions& options) {
  for (const auto& name : names) {
    if (name != kMpiAllreduce && probe::find_probe(name) == nullptr) {
      std::vector<std::string> known;
      for (const auto& row : probe::probes()) known.emplace_back(row.name);
      known.emplace_back(kMpiAllreduce);
      return fmt::format("--probes: '{}' is none of {}", base::printable(name),
                         base::join(known, ", "));
    }
  }
  const auto wants = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  // Settings of sockets act on one probe only.
  if (names.empty() && !options.settings.empty()) {
    options.probes.emplace_back("tcp-allreduce");
    return {};
  }
  for (const auto& row : probe::probes()) {
    if (names.empty() ? row.is_default : wants(row.name)) options.probes.emplace_back(row.name);
  }
  if (names.empty() || wants(kMpiAllreduce)) options.probes.emplace_back(kMpiAllreduce);
  return {};
}

std::string first_repeated(const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const auto& name : names) {
    if (!seen.insert(name).second) return name;
  }
  return {};
}

std::string check_lists(const ProbeOptions& options) {
  for (const auto& [name, list] : {std::pair("--settings", &options.settings),
                                   std::pair("--each-interface", &options.each_interface)}) {
    if (const auto twice = first_repeated(*list); !twice.empty()) {
      return fmt::format("{}: '{}' stands there twice", name, base::printable(twice));
    }
  }
  const auto& probes = options.probes;
  if (options.settings.size() > 1 &&
      std::find(probes.begin(), probes.end(), kSettingsProbe) == probes.end()) {
    return fmt::format("--settings acts on {}, which --probes leaves out", kSettingsProbe);
  }
  return {};
}

/// CLI11 drops an empty last part of a list.
std::string check_commas(const std::vector<std::string>& args) {
  for (const auto& arg : args) {
    if (arg.size() > 1 && arg.ends_with(',')) {
      return fmt::format("'{}' ends with a comma: a value is missing", base::printable(arg));
    }
  }
  return {};
}

std::string check_sizes(const Raw& raw, ProbeOptions& options) {
  const plan::SizeOptions asked{.sizes = raw.sizes,
                                .min_bytes = raw.min_bytes,
                                .max_bytes = raw.max_bytes,
                                .factor = raw.factor};
  const auto list = plan::parse_sizes(asked);
  options.sizes = list.sizes;
  return list.error;
}

std::string check_streams(const ProbeOptions& options) {
  const bool is_given =
      !options.channels.empty() || !options.threads.empty() || !options.sockets.empty();
  if (is_given && !options.settings.empty()) {
    return "--settings excludes --channels, --threads and --sockets: they would override what is "
           "tried";
  }
  if (options.threads.empty()) return {};
  const int threads = *std::max_element(options.threads.begin(), options.threads.end());
  if (options.sockets.empty()) return {};
  if (threads == 0) return "--sockets needs helper threads: --threads of 1 or more";
  for (const int one : options.threads) {
    for (const int sockets : options.sockets) {
      if (one * sockets <= kMaxSockets) continue;
      return fmt::format("--threads {} with --sockets {}: {} sockets a connection, NCCL allows {}",
                         one, sockets, one * sockets, kMaxSockets);
    }
  }
  return {};
}

/// Options with a text must have one.
std::string check_texts(const CLI::App& app, const std::vector<std::string>& args) {
  for (const char* name : {"--mode", "--interface", "--min-bytes", "--max-bytes", "--factor",
                           "--time-budget", "--stage-timeout", "--output"}) {
    const auto* option = app.get_option(name);
    if (option->count() > 0 && option->as<std::string>().empty()) {
      return fmt::format("{}: a value is needed", name);
    }
  }
  for (const auto& arg : args) {
    if (!model::is_utf8(arg)) {
      return fmt::format("'{}' is not UTF-8", base::printable(arg));
    }
  }
  return {};
}

std::string check_durations(const Raw& raw, ProbeOptions& options) {
  const auto read = [](const char* name, const std::string& text, int least_s,
                       base::Nanoseconds& into) {
    if (text.empty()) return std::string();
    const auto value = base::parse_duration(text);
    if (!value || *value < std::chrono::seconds(least_s)) {
      return fmt::format("{}: '{}' is no time of at least {}s (20s, 2m)", name,
                         base::printable(text), least_s);
    }
    into = *value;
    return std::string();
  };
  options.is_time_budget_given = !raw.time_budget.empty();
  options.is_stage_timeout_given = !raw.stage_timeout.empty();
  auto error = read("--time-budget", raw.time_budget, 1, options.time_budget);
  // Each stage watches the counters for a second before it begins.
  constexpr int kLeastStage = 3;
  return error.empty()
             ? read("--stage-timeout", raw.stage_timeout, kLeastStage, options.stage_timeout)
             : error;
}

/// Everything that CLI11 has not checked; empty when it is right.
std::string check(const Raw& raw, ProbeOptions& options) {
  const auto counts = [](const char* name, const std::vector<std::string>& texts, int low, int high,
                         std::vector<int>& into) {
    const auto error = parse_counts(texts, low, high, into);
    return error.empty() ? error : fmt::format("{}: {}", name, error);
  };
  const std::vector<std::function<std::string()>> checks{
      [&] { return check_probes(raw.probes, options); },
      [&] { return check_lists(options); },
      [&] { return check_sizes(raw, options); },
      [&] { return check_durations(raw, options); },
      [&] { return counts("--channels", raw.channels, 1, 64, options.channels); },
      [&] { return counts("--threads", raw.threads, 0, 16, options.threads); },
      [&] { return counts("--sockets", raw.sockets, 1, 64, options.sockets); },
      [&] { return check_streams(options); },
      [&]() -> std::string {
        if (!raw.interface.empty() && !options.each_interface.empty()) {
          return "--interface and --each-interface exclude each other";
        }
        if (options.output.empty()) return "--output: a file name is needed";
        return {};
      }};
  for (const auto& run : checks) {
    if (auto error = run(); !error.empty()) return error;
  }
  if (!raw.interface.empty()) options.interface = raw.interface;
  if (!raw.mode.empty()) options.mode = raw.mode;
  if (!raw.corrupt.empty()) {
    const auto rank =
        raw.corrupt.starts_with("rank:") ? base::parse_int(raw.corrupt.substr(5)) : std::nullopt;
    if (!rank || *rank < 0) return "--test-corrupt: rank:N is expected";
    options.corrupt = raw.corrupt;
  }
  options.level = raw.debug     ? base::LogLevel::kDebug
                  : raw.verbose ? base::LogLevel::kVerbose
                  : raw.quiet   ? base::LogLevel::kQuiet
                                : base::LogLevel::kNormal;
  return {};
}

}  // namespace

std::string list_probes() {
  std::string text;
  const auto row = [&](std::string_view name, bool is_default, std::string_view summary) {
    text += fmt::format("{:<16} {} {}\n", name, is_default ? "default " : "on ask  ", summary);
  };
  for (const auto& probe : probe::probes()) row(probe.name, probe.is_default, probe.summary);
  row(kMpiAllreduce, true,
      "the reference: what MPI_Allreduce gives on the control interface (runs last)");
  return text;
}

ParsedOptions parse_probe_options(std::span<const std::string> args) {
  CLI::App app("Measures the network under distributed training; started by mpirun.",
               "ringwise-probe");
  set_help(app, kExamples);
  ParsedOptions parsed;
  Raw raw;
  add_what(app, raw, parsed.options);
  add_where(app, raw, parsed.options);
  add_streams(app, raw);
  add_bounds(app, raw, parsed.options);
  add_output(app, raw, parsed.options);
  parsed.text = parse(app, args);
  if (parsed.text) return parsed;
  if (const auto problem = check_texts(app, {args.begin(), args.end()}); !problem.empty()) {
    throw Error(ErrorKind::kUsage, problem);
  }
  if (const auto problem = check_commas({args.begin(), args.end()}); !problem.empty()) {
    throw Error(ErrorKind::kUsage, problem);
  }
  if (raw.version) {
    parsed.text = version_text("ringwise-probe");
  } else if (raw.list) {
    parsed.text = list_probes();
  } else if (const auto problem = check(raw, parsed.options); !problem.empty()) {
    throw Error(ErrorKind::kUsage, problem);
  }
  return parsed;
}

}  // namespace ringwise::app
