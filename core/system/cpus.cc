#include "system/cpus.h"

#include <sched.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "system/cgroup.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

constexpr int kMostCpus = 65536;

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

/// The calling thread's affinity in list format. The kernel answers EINVAL until the set is large
/// enough for every CPU that it could ever have.
std::optional<std::string> live_affinity(std::vector<std::string>& problems) {
  for (int count = 1024; count <= kMostCpus; count *= 2) {
    const std::unique_ptr<cpu_set_t, FreeCpuSet> set(CPU_ALLOC(static_cast<std::size_t>(count)));
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(count));
    if (!set) break;
    CPU_ZERO_S(size, set.get());
    if (sched_getaffinity(0, size, set.get()) == 0) {
      std::vector<int> allowed;
      for (int cpu = 0; cpu < count; ++cpu) {
        if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, set.get())) allowed.push_back(cpu);
      }
      return to_list(allowed);
    }
    if (errno != EINVAL) break;
  }
  problems.push_back("cpus: sched_getaffinity: " + base::errno_text(errno));
  return std::nullopt;
}

std::optional<std::string> saved_affinity(const SysRoot& root) {
  const auto status = root.read("/proc/self/status");
  return status ? value_of(*status, "Cpus_allowed_list") : std::nullopt;
}

std::optional<std::uint64_t> kibibytes(std::string_view text, std::string_view key) {
  const auto value = value_of(text, key);
  if (!value) return std::nullopt;
  const auto parts = words(*value);
  const auto number = parts.empty() ? std::nullopt : parse_unsigned(parts[0]);
  if (!number || *number > (std::uint64_t{1} << 53U)) return std::nullopt;
  return *number * 1024;
}

/// "Node 0 MemTotal:  4954000 kB"
std::optional<std::uint64_t> node_memory(std::string_view text) {
  for (const auto line : lines(text)) {
    const auto key = line.find("MemTotal:");
    if (key != std::string_view::npos) return kibibytes(line.substr(key), "MemTotal");
  }
  return std::nullopt;
}

}  // namespace

model::Cpus read_cpus(const SysRoot& root, std::vector<std::string>& problems) {
  model::Cpus cpus;
  if (const auto text = root.read("/proc/cpuinfo")) {
    cpus.model = value_of(*text, "model name");
    cpus.vendor = value_of(*text, "vendor_id");
    if (!cpus.vendor) cpus.vendor = value_of(*text, "CPU implementer");  // Arm: "0x41"
  } else {
    problems.emplace_back("cpus: /proc/cpuinfo cannot be read");
  }
  if (const auto list = root.read_line("/sys/devices/system/cpu/online")) {
    cpus.online = count_list(*list);
  }
  const auto allowed = root.is_live() ? live_affinity(problems) : saved_affinity(root);
  if (allowed) cpus.allowed_count = count_list(*allowed);
  if (cpus.allowed_count) cpus.allowed = allowed;
  if (!cpus.online) problems.emplace_back("cpus: the number of online CPUs is unknown");
  add_cgroup_cpu(root, cpus);
  return cpus;
}

std::vector<model::NumaNode> read_numa_nodes(const SysRoot& root) {
  std::vector<model::NumaNode> nodes;
  const std::string folder = "/sys/devices/system/node";
  for (const auto& name : root.list(folder)) {
    if (!name.starts_with("node")) continue;
    const auto number = base::parse_int(std::string_view(name).substr(4));
    if (!number || *number < 0 || *number > 65535) continue;
    const std::string node = fmt::format("{}/{}", folder, name);
    const auto memory = root.read(node + "/meminfo");
    nodes.push_back({.node = static_cast<int>(*number),
                     .cpus = root.read_line(node + "/cpulist").value_or(""),
                     .memory_bytes = memory ? node_memory(*memory) : std::nullopt});
  }
  return nodes;
}

model::Memory read_memory(const SysRoot& root, std::vector<std::string>& problems) {
  model::Memory memory;
  if (const auto text = root.read("/proc/meminfo")) {
    memory.total_bytes = kibibytes(*text, "MemTotal");
    memory.available_bytes = kibibytes(*text, "MemAvailable");
  }
  if (!memory.total_bytes) problems.emplace_back("memory: /proc/meminfo does not say MemTotal");
  add_cgroup_memory(root, memory);
  return memory;
}

}  // namespace ringwise::system
