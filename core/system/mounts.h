// The mounts that this process sees, from /proc/self/mountinfo.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/sysroot.h"

namespace ringwise::system {

struct Mount {
  std::string root;           ///< what of the file system is mounted
  std::string point;          ///< where
  std::string type;           ///< "tmpfs", "cgroup2", ...
  std::string super_options;  ///< "rw,size=65536k"
};

/// In the order of mounting: of several at one point the last is seen. Bad lines are left out.
[[nodiscard]] std::vector<Mount> read_mounts(const SysRoot& root);

/// The mount that `path` is on: the longest mount point above it, the last one of equals.
[[nodiscard]] std::optional<Mount> mount_of(const SysRoot& root, std::string_view path);

/// True when `path` is `folder` or below it, compared part by part.
[[nodiscard]] bool is_path_under(std::string_view path, std::string_view folder);

/// True when the comma list has `option` as a whole word.
[[nodiscard]] bool has_option(std::string_view options, std::string_view option);

/// The value of "key=value" in the comma list.
[[nodiscard]] std::optional<std::string> option_value(std::string_view options,
                                                      std::string_view key);

}  // namespace ringwise::system
