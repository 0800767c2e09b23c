// The control groups of this process, version 1, 2 or both: quota, throttling, memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Where a controller's files of this process lie.
struct Cgroup {
  int version = 2;
  /// Folders, own group first, then its visible ancestors up to the mount point. In a control
  /// group namespace nothing above the namespace's root is visible.
  std::vector<std::string> levels;
};

/// The group that a controller ("cpu", "cpuset", "memory") counts this process in, from
/// /proc/self/cgroup and /proc/self/mountinfo. Absent when neither version is mounted.
[[nodiscard]] std::optional<Cgroup> find_cgroup(const SysRoot& root, std::string_view controller);

/// Fills cgroup_version, quota_cpus (the smallest of all levels), cpuset and throttled_us.
void add_cgroup_cpu(const SysRoot& root, model::Cpus& cpus);

/// Fills the limit (the smallest of all levels), the use at the level that has that limit, and
/// the group's own out-of-memory kills.
void add_cgroup_memory(const SysRoot& root, model::Memory& memory);

/// Microseconds for which a CPU quota held this process's group or a visible ancestor back, since
/// those groups began: two readings around a stage tell whether it was throttled. Absent when no
/// level has a CPU controller.
[[nodiscard]] std::optional<std::uint64_t> read_throttled_us(const SysRoot& root);

/// Seconds of CPU time, user and system, that all threads of this process have used.
[[nodiscard]] double read_cpu_seconds();

}  // namespace ringwise::system
