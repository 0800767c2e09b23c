// The JSON keys of a host's facts. Private to core/model; see model/fields.h.
#pragma once

#include "model/host.h"
#include "model/visit.h"

namespace ringwise::model {

inline void fields(auto& visit, Of<Address> auto& value) {
  visit("family", value.family);
  visit("address", value.address);
  visit("prefix_length", value.prefix_length);
  visit("scope", value.scope);
  visit("label", value.label);
}

inline void fields(auto& visit, Of<Offloads> auto& value) {
  visit("tso", value.tso);
  visit("gso", value.gso);
  visit("gro", value.gro);
  visit("tx_checksum", value.tx_checksum);
  visit("rx_checksum", value.rx_checksum);
}

inline void fields(auto& visit, Of<Interface> auto& value) {
  visit("name", value.name, kNeeded);
  visit("index", value.index);
  visit("kind", value.kind);
  visit("is_up", value.is_up);
  visit("is_running", value.is_running);
  visit("is_loopback", value.is_loopback);
  visit("mtu", value.mtu);
  visit("route_mtu", value.route_mtu);
  visit("speed_mbit_per_s", value.speed_mbit_per_s);
  visit("driver", value.driver);
  visit("pci_address", value.pci_address);
  visit("pci_vendor", value.pci_vendor);
  visit("physical_function", value.physical_function);
  visit("numa_node", value.numa_node);
  visit("master", value.master);
  visit("lower_index", value.lower_index);
  visit("lower_namespace", value.lower_namespace);
  visit("offloads", value.offloads);
  visit("rx_queues", value.rx_queues);
  visit("tx_queues", value.tx_queues);
  visit("irq_cpus", value.irq_cpus);
  visit("addresses", value.addresses);
  visit("mode", value.mode);
}

inline void fields(auto& visit, Of<Gid> auto& value) {
  visit("index", value.index);
  visit("gid", value.gid);
  visit("type", value.type);
  visit("netdev", value.netdev);
}

inline void fields(auto& visit, Of<RdmaPort> auto& value) {
  visit("port", value.port);
  visit("state", value.state);
  visit("link_layer", value.link_layer);
  visit("rate", value.rate);
  visit("lid", value.lid);
  visit("gids", value.gids);
}

inline void fields(auto& visit, Of<RdmaDevice> auto& value) {
  visit("name", value.name, kNeeded);
  visit("pci_address", value.pci_address);
  visit("numa_node", value.numa_node);
  visit("firmware", value.firmware);
  visit("board", value.board);
  visit("netdevs", value.netdevs);
  visit("ports", value.ports);
}

inline void fields(auto& visit, Of<PciDevice> auto& value) {
  visit("address", value.address);
  visit("device_class", value.device_class);
  visit("vendor", value.vendor);
  visit("device", value.device);
  visit("numa_node", value.numa_node);
  visit("link_gbyte_per_s", value.link_gbyte_per_s);
}

inline void fields(auto& visit, Of<Gpu> auto& value) {
  visit("pci_address", value.pci_address);
  visit("name", value.name);
  visit("numa_node", value.numa_node);
}

inline void fields(auto& visit, Of<Limits> auto& value) {
  visit("memlock_soft_bytes", value.memlock_soft_bytes);
  visit("memlock_hard_bytes", value.memlock_hard_bytes);
  visit("is_memlock_unlimited", value.is_memlock_unlimited);
  visit("open_files", value.open_files);
  visit("processes", value.processes);
  visit("effective_capabilities", value.effective_capabilities);
}

inline void fields(auto& visit, Of<NumaNode> auto& value) {
  visit("node", value.node);
  visit("cpus", value.cpus);
  visit("memory_bytes", value.memory_bytes);
}

inline void fields(auto& visit, Of<Cpus> auto& value) {
  visit("model", value.model);
  visit("vendor", value.vendor);
  visit("online", value.online);
  visit("allowed_count", value.allowed_count);
  visit("allowed", value.allowed);
  visit("cgroup_version", value.cgroup_version);
  visit("quota_cpus", value.quota_cpus);
  visit("cpuset", value.cpuset);
  visit("throttled_us", value.throttled_us);
  visit("numa_nodes", value.numa_nodes);
}

inline void fields(auto& visit, Of<Memory> auto& value) {
  visit("total_bytes", value.total_bytes);
  visit("available_bytes", value.available_bytes);
  visit("cgroup_limit_bytes", value.cgroup_limit_bytes);
  visit("cgroup_used_bytes", value.cgroup_used_bytes);
  visit("oom_kills", value.oom_kills);
}

inline void fields(auto& visit, Of<SharedMemory> auto& value) {
  visit("path", value.path);
  visit("type", value.type);
  visit("size_bytes", value.size_bytes);
  visit("used_bytes", value.used_bytes);
  visit("reason", value.reason);
}

inline void fields(auto& visit, Of<Storage> auto& value) {
  visit("type", value.type);
  visit("size_bytes", value.size_bytes);
  visit("free_bytes", value.free_bytes);
  visit("reason", value.reason);
}

inline void fields(auto& visit, Of<TcpLimits> auto& value) {
  visit("rmem_max_bytes", value.rmem_max_bytes);
  visit("wmem_max_bytes", value.wmem_max_bytes);
  visit("tcp_rmem_max_bytes", value.tcp_rmem_max_bytes);
  visit("tcp_wmem_max_bytes", value.tcp_wmem_max_bytes);
  visit("mtu_probing", value.mtu_probing);
}

inline void fields(auto& visit, Of<NcclLibrary> auto& value) {
  visit("found", value.found);
  visit("version", value.version);
  visit("path", value.path);
  visit("reason", value.reason);
}

inline void fields(auto& visit, Of<PodNetwork> auto& value) {
  visit("name", value.name);
  visit("interface", value.interface);
  visit("is_default", value.is_default);
  visit("source", value.source);
  visit("device_type", value.device_type);
  visit("pci_address", value.pci_address);
  visit("physical_function", value.physical_function);
  visit("mtu", value.mtu);
}

inline void fields(auto& visit, Of<Host> auto& value) {
  visit("host", value.host, kNeeded);
  visit("node", value.node);
  visit("pod", value.pod);
  visit("namespace", value.pod_namespace);
  visit("boot_id", value.boot_id);
  visit("kernel", value.kernel);
  visit("driver", value.driver);
  visit("congestion_control", value.congestion_control);
  visit("tcp", value.tcp);
  visit("container", value.container);
  visit("firmware", value.firmware);
  visit("interfaces", value.interfaces);
  visit("default_interface", value.default_interface);
  visit("are_routes_known", value.are_routes_known);
  visit("networks", value.networks);
  visit("rdma", value.rdma);
  visit("gpus", value.gpus);
  visit("pci", value.pci);
  visit("limits", value.limits);
  visit("cpus", value.cpus);
  visit("memory", value.memory);
  visit("shm", value.shm);
  visit("storage", value.storage);
  visit("nccl", value.nccl);
  visit("environment", value.environment);
  visit("problems", value.problems);
}

}  // namespace ringwise::model
