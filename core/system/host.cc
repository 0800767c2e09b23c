#include "system/host.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "system/cpus.h"
#include "system/gpus.h"
#include "system/interface_mode.h"
#include "system/interfaces.h"
#include "system/limits.h"
#include "system/pod.h"
#include "system/rdma.h"
#include "system/routes.h"
#include "system/shm.h"
#include "system/storage.h"
#include "system/tcp.h"
#include "system/topology.h"

namespace ringwise::system {
namespace {

std::string host_name(const SysRoot& root, std::vector<std::string>& problems) {
  if (root.is_live()) {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) == 0) return base::printable(name.data());
    problems.push_back("host: gethostname: " + base::errno_text(errno));
    return "";
  }
  if (const auto name = root.read_line("/proc/sys/kernel/hostname")) return *name;
  problems.emplace_back("host: the fixture has no /proc/sys/kernel/hostname");
  return "";
}

/// "mlx5_0 28.39.1002 (MT_0000000838)"
std::vector<std::string> firmware_of(const std::vector<model::RdmaDevice>& devices) {
  std::vector<std::string> firmware;
  for (const auto& device : devices) {
    if (!device.firmware) continue;
    firmware.push_back(device.board
                           ? fmt::format("{} {} ({})", device.name, *device.firmware, *device.board)
                           : fmt::format("{} {}", device.name, *device.firmware));
  }
  return firmware;
}

/// Gives a device the NUMA node of its PCI device, which hwloc may know where sysfs does not.
void complete_numa_node(const std::optional<std::string>& pci_address,
                        const std::vector<model::PciDevice>& devices, std::optional<int>& node) {
  if (node || !pci_address) return;
  const auto found = std::ranges::find(devices, *pci_address, &model::PciDevice::address);
  if (found != devices.end()) node = found->numa_node;
}

void complete_numa_nodes(model::Host& host) {
  for (auto& interface : host.interfaces) {
    complete_numa_node(interface.pci_address, host.pci, interface.numa_node);
  }
  for (auto& device : host.rdma) {
    complete_numa_node(device.pci_address, host.pci, device.numa_node);
  }
  for (auto& gpu : host.gpus) complete_numa_node(gpu.pci_address, host.pci, gpu.numa_node);
}

}  // namespace

model::Host read_host(const SysRoot& root, const HostOptions& options) {
  const Environment environment = options.environment ? *options.environment
                                  : root.is_live()    ? process_environment()
                                                      : Environment{};
  model::Host host;
  host.host = host_name(root, host.problems);
  host.boot_id = root.read_line("/proc/sys/kernel/random/boot_id");
  host.kernel = root.read_line("/proc/sys/kernel/osrelease");
  host.driver = read_nvidia_driver(root);
  host.congestion_control = root.read_line("/proc/sys/net/ipv4/tcp_congestion_control");
  host.tcp = read_tcp_limits(root);
  host.interfaces = read_interfaces(root, host.problems);
  host.are_routes_known = add_route_mtus(root, host.interfaces, host.problems);
  host.default_interface = read_default_interface(root);
  host.rdma = read_rdma_devices(root);
  host.firmware = firmware_of(host.rdma);
  host.gpus = read_gpus(root);
  auto topology = read_topology(root, host.problems);
  host.pci = std::move(topology.pci);
  complete_numa_nodes(host);
  host.limits = read_limits(root, host.problems);
  host.cpus = read_cpus(root, host.problems);
  host.cpus.numa_nodes = std::move(topology.numa_nodes);
  host.memory = read_memory(root, host.problems);
  host.shm = read_shared_memory(root);
  host.storage = read_storage(root);
  add_pod_facts(root, environment, host);
  host.environment = recordable(environment);
  classify_interfaces(host);
  if (options.find_nccl) {
    host.nccl = find_nccl(root, options.nccl);
  } else {
    host.nccl.reason = "not asked";
  }
  return host;
}

}  // namespace ringwise::system
