// The sets of settings that --settings compares.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringwise::app {

/// Data sockets of a connection, threads x sockets.
/// source: NCCL 2.30.7 src/transport/net_socket.cc, MAX_SOCKETS
inline constexpr int kMaxSockets = 64;

struct SettingsSet {
  std::string name;  ///< "default", the file's name, or "FILE-NAME": the file without that variable
  std::map<std::string, std::string> values;
};

/// NAME=VALUE lines as `sh` and nccl.conf have them: blank lines, # comments, an `export ` in
/// front, one pair of quotes around the value. Only NCCL_* and RINGWISE_* names. Throws
/// Error(kUsage) with `origin` and the line number.
[[nodiscard]] std::map<std::string, std::string> parse_settings(std::string_view text,
                                                                const std::string& origin);

struct LoadedSettings {
  std::vector<SettingsSet> sets;
  std::vector<std::string> warnings;  ///< one for each variable that cannot be tried
};

/// Reads the files of --settings, without the variables that tcp-allreduce does not act on
/// (plan/ring_variables.h): a file with no other is an error. "default" comes first, asked for or
/// not: every set is compared with it. A file with 2 to 4 variables also gives the sets that lack
/// one of them, which tell what each contributes. Throws Error(kUsage).
[[nodiscard]] LoadedSettings load_settings(const std::vector<std::string>& names);

}  // namespace ringwise::app
