#include "report/host_text.h"

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "report/format.h"
#include "report/table.h"

namespace ringwise::report {
namespace {

using model::Host;

/// A value of any kind, "-" when absent.
template <typename T>
std::string shown(const std::optional<T>& value) {
  if (!value) return "-";
  if constexpr (std::is_same_v<T, std::string>) {
    return base::printable(*value);
  } else {
    return fmt::format("{}", *value);
  }
}

std::string bytes(const std::optional<std::uint64_t>& value, const char* absent) {
  return value ? base::format_bytes(*value) : absent;
}

std::string place(const Host& host, const model::Mode& network) {
  std::string text = fact("host", base::printable(host.host));
  if (host.pod) {
    text += fact("pod", fmt::format("{} in namespace {} on node {}", shown(host.pod),
                                    shown(host.pod_namespace), shown(host.node)));
  }
  if (host.container) text += fact("container", shown(host.container));
  if (host.kernel) text += fact("kernel", shown(host.kernel));
  if (host.driver) text += fact("driver", "NVIDIA " + shown(host.driver));
  text += fact("mode", mode(network));
  for (const auto& line : network.evidence) text += fact("", base::printable(line));
  return text;
}

/// "veth", "mlx5_core VF", "loopback"
std::string kind_of(const model::Interface& one) {
  if (one.is_loopback) return "loopback";
  std::string kind = one.kind.empty() ? one.driver.value_or("-") : one.kind;
  if (one.physical_function) kind += " VF";
  return base::printable(kind);
}

/// "1500", or "1500/1450" with the smallest MTU of its routes
std::string mtu_of(const model::Interface& one) {
  return one.route_mtu ? fmt::format("{}/{}", shown(one.mtu), *one.route_mtu) : shown(one.mtu);
}

std::string interfaces(const Host& host) {
  if (host.interfaces.empty()) return "\nInterfaces\n  none could be read\n";
  std::vector<std::vector<std::string>> rows;
  bool has_route_mtu = false;
  for (const auto& one : host.interfaces) {
    std::vector<std::string> addresses;
    addresses.reserve(one.addresses.size());
    for (const auto& address : one.addresses) {
      addresses.push_back(fmt::format("{}/{}", address.address, address.prefix_length));
    }
    rows.push_back({base::printable(one.name), kind_of(one),
                    one.is_running ? "up"
                    : one.is_up    ? "no link"
                                   : "down",
                    mtu_of(one), shown(one.speed_mbit_per_s), shown(one.numa_node), shown(one.mode),
                    base::printable(base::join(addresses, " "))});
    if (host.default_interface == one.name) rows.back().front() += " *";
    has_route_mtu = has_route_mtu || one.route_mtu;
  }
  return fmt::format("\nInterfaces (* default route; speed in Mbit/s{})\n",
                     has_route_mtu ? "; MTU of device/smallest of its routes" : "") +
         text_table({{"name", Align::kLeft},
                     {"kind", Align::kLeft},
                     {"link", Align::kLeft},
                     {"MTU"},
                     {"speed"},
                     {"NUMA"},
                     {"network", Align::kLeft},
                     {"addresses", Align::kLeft}},
                    rows, 2);
}

std::string on_or_off(const char* name, const std::optional<bool>& value) {
  return value ? fmt::format("{} {}", name, *value ? "on" : "off") : std::string();
}

/// Offloads, queues and interrupts of one interface, as far as they are known; may be empty.
std::string work(const model::Interface& one) {
  std::vector<std::string> parts;
  const auto known = one.offloads.value_or(model::Offloads{});
  for (auto& part :
       {on_or_off("TSO", known.tso), on_or_off("GSO", known.gso), on_or_off("GRO", known.gro),
        on_or_off("tx checksum", known.tx_checksum), on_or_off("rx checksum", known.rx_checksum)}) {
    if (!part.empty()) parts.push_back(part);
  }
  if (one.rx_queues || one.tx_queues) {
    parts.push_back(fmt::format("queues {} rx {} tx", shown(one.rx_queues), shown(one.tx_queues)));
  }
  if (one.irq_cpus) parts.push_back("interrupts on CPUs " + shown(one.irq_cpus));
  return base::join(parts, ", ");
}

std::string offloads(const Host& host) {
  std::string text;
  for (const auto& one : host.interfaces) {
    const auto line = one.is_loopback || !one.is_up ? std::string() : work(one);
    if (!line.empty()) text += "  " + wrapped(base::printable(one.name) + ": " + line, 2, 4) + "\n";
  }
  return text.empty() ? text : "\nOffloads and queues\n" + text;
}

std::string tcp(const Host& host) {
  std::vector<std::string> parts;
  if (host.congestion_control) parts.push_back(shown(host.congestion_control));
  if (host.tcp.tcp_rmem_max_bytes || host.tcp.tcp_wmem_max_bytes) {
    parts.push_back(fmt::format("buffers up to {} in, {} out",
                                bytes(host.tcp.tcp_rmem_max_bytes, "?"),
                                bytes(host.tcp.tcp_wmem_max_bytes, "?")));
  }
  if (host.tcp.mtu_probing) parts.push_back("MTU probing " + shown(host.tcp.mtu_probing));
  return base::join(parts, ", ");
}

std::string rdma(const Host& host) {
  if (host.rdma.empty()) return "\nRDMA\n  no device\n";
  std::string text = "\nRDMA\n";
  for (const auto& device : host.rdma) {
    text += fmt::format("  {}: firmware {}, NUMA {}, PCI {}\n", base::printable(device.name),
                        shown(device.firmware), shown(device.numa_node), shown(device.pci_address));
    for (const auto& port : device.ports) {
      text += fmt::format("    port {}: {}, {}, {}\n", port.port, base::printable(port.state),
                          base::printable(port.link_layer), shown(port.rate));
      for (const auto& gid : port.gids) {
        text += fmt::format("      GID {}: {} {} {}\n", gid.index, base::printable(gid.gid),
                            shown(gid.type), shown(gid.netdev));
      }
    }
  }
  return text;
}

std::string cpus(const Host& host) {
  const auto& cpu = host.cpus;
  std::string text = fmt::format("{} of {} allowed", shown(cpu.allowed_count), shown(cpu.online));
  if (cpu.allowed) text += " (" + shown(cpu.allowed) + ")";
  if (cpu.model) text += ", " + shown(cpu.model);
  std::string out = fact("CPUs", text);
  out +=
      fact("quota", cpu.quota_cpus
                        ? fmt::format("{:.4g} CPUs, throttled for {} so far", *cpu.quota_cpus,
                                      cpu.throttled_us
                                          ? base::format_us(static_cast<double>(*cpu.throttled_us))
                                          : "an unknown time")
                        : std::string("none seen"));
  if (cpu.cgroup_version) out += fact("cgroup", fmt::format("v{}", *cpu.cgroup_version));
  for (const auto& node : cpu.numa_nodes) {
    out += fact(fmt::format("NUMA {}", node.node),
                fmt::format("CPUs {}, {}", base::printable(node.cpus),
                            bytes(node.memory_bytes, "memory not known")));
  }
  return out;
}

std::string limits(const Host& host) {
  const auto& memory = host.memory;
  std::string text = "\nCPUs, memory and limits\n" + cpus(host);
  text += fact(
      "memory",
      fmt::format("{}, {} available, cgroup limit {}", bytes(memory.total_bytes, "total not known"),
                  bytes(memory.available_bytes, "?"), bytes(memory.cgroup_limit_bytes, "none")));
  text +=
      fact(host.shm.path, host.shm.size_bytes
                              ? fmt::format("{}, {} used", base::format_bytes(*host.shm.size_bytes),
                                            bytes(host.shm.used_bytes, "?"))
                              : "size not known: " + shown(host.shm.reason));
  if (host.storage) {
    text += fact("storage", fmt::format("{}, {} of {} free", shown(host.storage->type),
                                        bytes(host.storage->free_bytes, "?"),
                                        bytes(host.storage->size_bytes, "?")));
  }
  text += fact("memlock", host.limits.is_memlock_unlimited
                              ? std::string("unlimited")
                              : bytes(host.limits.memlock_soft_bytes, "not known"));
  text += fact("files", shown(host.limits.open_files));
  if (const auto line = tcp(host); !line.empty()) text += fact("TCP", line);
  return text;
}

std::string nccl(const Host& host) {
  std::string text = "\nNCCL\n";
  if (host.nccl.found) {
    text +=
        fact("library", fmt::format("{} at {}", shown(host.nccl.version), shown(host.nccl.path)));
  } else {
    text += fact("library", "not found: " + shown(host.nccl.reason));
  }
  for (const auto& [name, value] : host.environment) {
    text += fmt::format("  {}={}\n", base::printable(name), base::printable(value));
  }
  return text;
}

std::string gpus(const Host& host) {
  if (host.gpus.empty()) return "\nGPUs\n  none\n";
  std::string text = "\nGPUs\n";
  for (const auto& gpu : host.gpus) {
    text += fmt::format("  {} {}, NUMA {}\n", base::printable(gpu.pci_address), shown(gpu.name),
                        shown(gpu.numa_node));
  }
  return text;
}

}  // namespace

std::string host_text(const Host& host, const model::Mode& mode) {
  std::string text = place(host, mode) + interfaces(host) + offloads(host) + rdma(host) +
                     gpus(host) + limits(host) + nccl(host);
  if (!host.problems.empty()) text += "\nCould not be read\n";
  for (const auto& problem : host.problems) {
    text += "  - " + wrapped(base::printable(problem), 4, 4) + "\n";
  }
  return text;
}

}  // namespace ringwise::report
