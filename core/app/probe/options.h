// The command line of ringwise-probe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/log.h"

namespace ringwise::app {

/// What --settings acts on: settings of sockets.
inline constexpr std::string_view kSettingsProbe = "tcp-allreduce";

struct ProbeOptions {
  std::vector<std::string> probes;  ///< names, in the registry's order; empty = the defaults
  std::optional<std::string> mode;
  std::optional<std::string> interface;
  std::vector<std::string> each_interface;
  std::vector<std::uint64_t> sizes;
  std::vector<int> channels;
  std::vector<int> threads;
  std::vector<int> sockets;
  std::vector<std::string> settings;  ///< "default" or paths
  int blocks = 6;
  base::Nanoseconds time_budget = std::chrono::seconds(60);
  bool is_time_budget_given = false;
  base::Nanoseconds stage_timeout = std::chrono::seconds(20);
  bool is_stage_timeout_given = false;
  std::optional<int> expect_ranks;
  std::optional<int> expect_nodes;
  std::string output = "run.json";
  bool on_busy_fabric = false;
  std::optional<std::string> corrupt;  ///< hidden test hook
  base::LogLevel level = base::LogLevel::kNormal;
  std::optional<int> worker_fd;
};

/// What the command line asks for: measure with the options, or print the text (of --help,
/// --version or --list) and leave.
struct ParsedOptions {
  ProbeOptions options;
  std::optional<std::string> text;
};

/// Parses and checks what can be checked without looking at the host. `args` is without the
/// program's name. Throws Error(kUsage) that names the option, the value and what was expected.
[[nodiscard]] ParsedOptions parse_probe_options(std::span<const std::string> args);

/// The rows of the registry and mpi-allreduce, one a line: what --list prints.
[[nodiscard]] std::string list_probes();

inline constexpr const char* kMpiAllreduce = "mpi-allreduce";

}  // namespace ringwise::app
