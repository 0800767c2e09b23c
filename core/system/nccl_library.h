// Which NCCL a job on this host would load, and its version.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

struct NcclSearch {
  /// Given by the user; nothing else is tried then.
  std::optional<std::string> path;
  base::Nanoseconds deadline = std::chrono::seconds(10);  ///< of each library asked
};

/// Looks as a job would: the given path, or what the loader finds as libnccl.so.2, then as
/// libnccl.so. The library is loaded and asked (ncclGetVersion) in a child process, so that a
/// broken one ends the child and not this process. `found` is true only when it could be loaded
/// so; a library that merely lies at a well-known place gives its path, its version, found = false
/// and a reason. `root` serves the well-known places only; in a fixture nothing is loaded.
[[nodiscard]] model::NcclLibrary find_nccl(const SysRoot& root, const NcclSearch& search);

/// What one library answered.
struct NcclAnswer {
  std::optional<std::string> path;     ///< full path of what was loaded
  std::optional<std::string> version;  ///< "2.28.9"
  std::string reason;                  ///< what failed, empty when nothing did
};

/// Loads `library` (a name for the loader or a path) in a child process and asks it. The child has
/// only standard streams, open on /dev/null, and dies with the calling thread.
[[nodiscard]] NcclAnswer ask_nccl(const std::string& library, base::Nanoseconds deadline);

/// "2.28.9" from 22809; "2.7.8" from 2708. source: NCCL nccl.h.in NCCL_VERSION: major * 10000 +
/// minor * 100 + patch since 2.9, major * 1000 before. Absent when it is no such number.
[[nodiscard]] std::optional<std::string> nccl_version_text(int code);

/// Paths of libnccl.so.2 at the places where packages put it: /usr/local/cuda*/lib64, lib and
/// targets/*/lib, and the distributions' library folders.
[[nodiscard]] std::vector<std::string> well_known_nccl(const SysRoot& root);

}  // namespace ringwise::system
