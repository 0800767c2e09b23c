#include "system/cgroup.h"

#include <sys/resource.h>

#include <algorithm>

#include "base/units.h"
#include "system/mounts.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

/// Version 1 says "no limit" as the largest number of whole pages, 2^63 less one page.
constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 62U;
constexpr int kMostLevels = 64;

/// Names of a controller's files in both versions; "" where there is none.
struct Files {
  std::string_view version1;
  std::string_view version2;
  [[nodiscard]] std::string_view of(int version) const {
    return version == 1 ? version1 : version2;
  }
};
constexpr Files kMemoryLimit{"/memory.limit_in_bytes", "/memory.max"};
constexpr Files kMemoryUsed{"/memory.usage_in_bytes", "/memory.current"};
constexpr Files kOutOfMemory{"/memory.oom_control", "/memory.events"};
constexpr Files kCpuset{"/cpuset.effective_cpus", "/cpuset.cpus.effective"};

/// Path of this process in one hierarchy: of `controller` in version 1, of version 2 otherwise.
std::optional<std::string> path_in(std::string_view cgroups, std::string_view controller) {
  for (const auto line : lines(cgroups)) {
    const auto first = line.find(':');
    const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    const bool matches = controller.empty() ? line.starts_with("0:") && controllers.empty()
                                            : has_option(controllers, controller);
    if (matches) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

/// Own folder and its ancestors below and including the mount point.
std::vector<std::string> levels_of(const SysRoot& root, const Mount& mount,
                                   const std::string& path) {
  const std::string_view mounted = mount.root == "/" ? std::string_view{} : mount.root;
  std::string below;
  if (is_path_under(path, mounted)) {
    below = path.substr(mounted.size());
  } else if (path.find("/..") != std::string::npos) {
    return {};  // outside this control group namespace: its files are not ours
  }
  if (below.find("/..") != std::string::npos) return {};
  std::vector<std::string> levels;
  while (static_cast<int>(levels.size()) < kMostLevels) {
    while (below.ends_with('/')) below.pop_back();
    std::string folder = mount.point + below;
    if (root.exists(folder)) levels.push_back(std::move(folder));
    if (below.empty()) break;
    below.resize(below.rfind('/') == std::string::npos ? 0 : below.rfind('/'));
  }
  return levels;
}

std::optional<Cgroup> find_in(const SysRoot& root, const std::vector<Mount>& mounts,
                              std::string_view cgroups, std::string_view controller) {
  const auto path = path_in(cgroups, controller);
  if (!path) return std::nullopt;
  const bool is_version1 = !controller.empty();
  const auto mount = std::find_if(mounts.rbegin(), mounts.rend(), [&](const Mount& candidate) {
    return is_version1
               ? candidate.type == "cgroup" && has_option(candidate.super_options, controller)
               : candidate.type == "cgroup2";
  });
  if (mount == mounts.rend()) return std::nullopt;
  Cgroup group{.version = is_version1 ? 1 : 2, .levels = levels_of(root, *mount, *path)};
  if (group.levels.empty()) return std::nullopt;
  return group;
}

/// CPUs that one level's quota allows.
std::optional<double> quota_at(const SysRoot& root, int version, const std::string& level) {
  std::optional<std::int64_t> quota;
  std::optional<std::int64_t> period;
  if (version == 1) {
    quota = root.read_int(level + "/cpu.cfs_quota_us");
    period = root.read_int(level + "/cpu.cfs_period_us");
  } else if (const auto line = root.read_line(level + "/cpu.max")) {
    const auto parts = words(*line);  // "max 100000" or "50000 100000"
    if (parts.size() == 2) {
      quota = base::parse_int(parts[0]);
      period = base::parse_int(parts[1]);
    }
  }
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<std::uint64_t> throttled_us_of(const SysRoot& root, const Cgroup& group) {
  std::optional<std::uint64_t> total;
  for (const auto& level : group.levels) {
    const auto text = root.read(level + "/cpu.stat");
    if (!text) continue;
    const auto time = group.version == 1 ? number_of(*text, "throttled_time")  // nanoseconds
                                         : number_of(*text, "throttled_usec");
    if (time) total = total.value_or(0) + (group.version == 1 ? *time / 1000 : *time);
  }
  return total;
}

std::optional<std::uint64_t> bytes_in(const SysRoot& root, const std::string& path) {
  const auto line = root.read_line(path);
  return line ? parse_unsigned(*line) : std::nullopt;
}

}  // namespace

std::optional<Cgroup> find_cgroup(const SysRoot& root, std::string_view controller) {
  const auto cgroups = root.read("/proc/self/cgroup");
  if (!cgroups) return std::nullopt;
  const auto mounts = read_mounts(root);
  if (auto group = find_in(root, mounts, *cgroups, controller)) return group;
  return find_in(root, mounts, *cgroups, "");
}

void add_cgroup_cpu(const SysRoot& root, model::Cpus& cpus) {
  if (const auto group = find_cgroup(root, "cpu")) {
    cpus.cgroup_version = group->version;
    for (const auto& level : group->levels) {
      const auto quota = quota_at(root, group->version, level);
      if (quota) cpus.quota_cpus = std::min(*quota, cpus.quota_cpus.value_or(*quota));
    }
    cpus.throttled_us = throttled_us_of(root, *group);
  }
  const auto group = find_cgroup(root, "cpuset");
  if (!group) return;
  for (const auto& level : group->levels) {
    const auto list = root.read_line(level + std::string(kCpuset.of(group->version)));
    if (!list || !count_list(*list)) continue;
    cpus.cpuset = *list;
    return;
  }
}

void add_cgroup_memory(const SysRoot& root, model::Memory& memory) {
  const auto group = find_cgroup(root, "memory");
  if (!group) return;
  const auto file = [&](const std::string& level, const Files& files) {
    return level + std::string(files.of(group->version));
  };
  std::string limiting = group->levels.front();
  for (const auto& level : group->levels) {
    const auto limit = bytes_in(root, file(level, kMemoryLimit));  // "max" is no number
    if (!limit || *limit >= kNoLimit) continue;
    if (memory.cgroup_limit_bytes && *memory.cgroup_limit_bytes <= *limit) continue;
    memory.cgroup_limit_bytes = limit;
    limiting = level;
  }
  memory.cgroup_used_bytes = bytes_in(root, file(limiting, kMemoryUsed));
  if (const auto text = root.read(file(group->levels.front(), kOutOfMemory))) {
    memory.oom_kills = number_of(*text, "oom_kill");
  }
}

std::optional<std::uint64_t> read_throttled_us(const SysRoot& root) {
  const auto group = find_cgroup(root, "cpu");
  return group ? throttled_us_of(root, *group) : std::nullopt;
}

double read_cpu_seconds() {
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) != 0) return 0;  // cannot fail with these arguments
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace ringwise::system
