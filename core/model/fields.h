// The JSON key of every member of the model types, written once for reading and for writing.
// Private to core/model. A visitor takes (key, member) for most members and (key, member, kNeeded)
// for those without which the object has no meaning: the reader refuses an object that lacks one.
#pragma once

#include <concepts>
#include <type_traits>

#include "model/advice.h"
#include "model/comparison.h"
#include "model/finding.h"
#include "model/host.h"
#include "model/record.h"

namespace ringwise::model {

struct Needed {};
inline constexpr Needed kNeeded;

/// Absent values of this member are written as null instead of leaving the key out.
struct Nullable {};
inline constexpr Nullable kNullable;

/// T or const T.
template <typename T, typename Type>
concept Of = std::same_as<std::remove_const_t<T>, Type>;

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
  visit("nccl", value.nccl);
  visit("environment", value.environment);
  visit("problems", value.problems);
}

inline void fields(auto& visit, Of<Tool> auto& value) {
  visit("name", value.name);
  visit("version", value.version);
  visit("features", value.features);
}

inline void fields(auto& visit, Of<Launch> auto& value) {
  visit("asked_ranks", value.asked_ranks);
  visit("asked_nodes", value.asked_nodes);
  visit("ranks", value.ranks);
  visit("nodes", value.nodes);
  visit("ranks_per_node", value.ranks_per_node);
  visit("launcher", value.launcher);
}

inline void fields(auto& visit, Of<Mode> auto& value) {
  visit("label", value.label);
  visit("detected", value.detected);
  visit("evidence", value.evidence);
}

inline void fields(auto& visit, Of<Rank> auto& value) {
  visit("rank", value.rank, kNeeded);
  visit("host", value.host, kNeeded);
  visit("local_rank", value.local_rank);
  visit("interfaces", value.interfaces);
  visit("bootstrap_interface", value.bootstrap_interface);
  visit("selection", value.selection);
}

inline void fields(auto& visit, Of<SizeResult> auto& value) {
  visit("bytes", value.bytes, kNeeded);
  visit("verified", value.verified);
  visit("wrong", value.wrong);
  visit("samples", value.samples);
  visit("blocks", value.blocks);
  visit("block_medians_us", value.block_medians_us);
  visit("time_us_p50", value.time_us_p50);
  visit("time_us_p99", value.time_us_p99);
  visit("algbw_gbyte_per_s", value.algbw_gbyte_per_s);
  visit("busbw_gbyte_per_s", value.busbw_gbyte_per_s);
  visit("low", value.low);
  visit("high", value.high);
  visit("reason", value.reason);
}

inline void fields(auto& visit, Of<PathMtu> auto& value) {
  visit("device_mtu", value.device_mtu);
  visit("route_mtu", value.route_mtu);
  visit("forward_mtu", value.forward_mtu);
  visit("reason", value.reason);
}

inline void fields(auto& visit, Of<PairResult> auto& value) {
  visit("src", value.src, kNeeded);
  visit("dst", value.dst, kNeeded);
  visit("direction", value.direction);
  visit("bytes", value.bytes);
  visit("round", value.round);
  visit("block", value.block);
  visit("device", value.device);
  visit("gbit_per_s", value.gbit_per_s);
  visit("low", value.low);
  visit("high", value.high);
  visit("latency_us_p50", value.latency_us_p50);
  visit("latency_us_p99", value.latency_us_p99);
  visit("payload_bytes", value.payload_bytes);
  visit("retransmits", value.retransmits);
  visit("path_mtu", value.path_mtu);
  visit("path", value.path);
  visit("congestion_control", value.congestion_control);
  visit("cpu_s_per_gbyte_src", value.cpu_s_per_gbyte_src);
  visit("cpu_s_per_gbyte_dst", value.cpu_s_per_gbyte_dst);
  visit("status", value.status, kNeeded);
  visit("reason", value.reason);
}

inline void fields(auto& visit, Of<PathProof> auto& value) {
  visit("state", value.state, kNeeded);
  visit("reason", value.reason);
  visit("carried_by", value.carried_by);
}

inline void fields(auto& visit, Of<Result> auto& value) {
  visit("probe", value.probe, kNeeded);
  visit("variant", value.variant);
  visit("status", value.status, kNeeded);
  visit("reason", value.reason);
  visit("provenance", value.provenance);
  visit("mode", value.mode);
  visit("interface", value.interface);
  visit("transport", value.transport);
  visit("device", value.device);
  visit("gid_index", value.gid_index);
  visit("rail", value.rail);
  visit("memory", value.memory);
  visit("collective", value.collective);
  visit("dtype", value.dtype);
  visit("op", value.op);
  visit("direction", value.direction);
  visit("family", value.family);
  visit("ranks", value.ranks);
  visit("nodes", value.nodes);
  visit("channels", value.channels);
  visit("sockets", value.sockets);
  visit("threads", value.threads);
  visit("qps", value.qps);
  visit("settings_name", value.settings_name);
  visit("settings", value.settings);
  visit("path_proof", value.path_proof);
  visit("background_bytes_per_s", value.background_bytes_per_s);
  visit("background_share", value.background_share);
  visit("cpu_throttled_us", value.cpu_throttled_us);
  visit("cpu_seconds", value.cpu_seconds);
  visit("stray_connections", value.stray_connections);
  visit("seed", value.seed);
  visit("sizes", value.sizes);
  visit("pairs", value.pairs);
}

inline void fields(auto& visit, Of<Counter> auto& value) {
  visit("host", value.host, kNeeded);
  visit("probe", value.probe);
  visit("rank", value.rank);
  visit("interface", value.interface);
  visit("device", value.device);
  visit("before", value.before);
  visit("after", value.after);
  visit("expected_bytes", value.expected_bytes);
}

inline void fields(auto& visit, Of<Problem> auto& value) {
  visit("stage", value.stage);
  visit("rank", value.rank);
  visit("host", value.host);
  visit("interface", value.interface);
  visit("peer", value.peer);
  visit("peer_host", value.peer_host);
  visit("step", value.step);
  visit("sign", value.sign);
  visit("text", value.text, kNeeded);
}

inline void fields(auto& visit, Of<RunRecord> auto& value) {
  visit("schema_version", value.schema_version, kNeeded);
  visit("tool", value.tool);
  visit("started", value.started);
  visit("ended", value.ended);
  visit("complete", value.complete, kNeeded);
  visit("launch", value.launch);
  visit("mode", value.mode);
  visit("hosts", value.hosts);
  visit("ranks", value.ranks);
  visit("results", value.results, kNeeded);
  visit("counters", value.counters);
  visit("problems", value.problems);
}

inline void fields(auto& visit, Of<StageReport> auto& value) {
  visit("results", value.results);
  visit("counters", value.counters);
  visit("problems", value.problems);
}

inline void fields(auto& visit, Of<Advice> auto& value) {
  visit("id", value.id, kNeeded);
  visit("state", value.state, kNeeded);
  visit("name", value.name, kNeeded);
  visit("value", value.value, kNullable);
  visit("where", value.where);
  visit("per_host", value.per_host);
  visit("reason", value.reason);
  visit("nccl_versions", value.nccl_versions);
  visit("verify", value.verify);
  visit("undo", value.undo);
  visit("cost", value.cost);
  visit("factor", value.factor);
  visit("factor_low", value.factor_low);
  visit("factor_high", value.factor_high);
  visit("evidence", value.evidence);
}

inline void fields(auto& visit, Of<ComparedRun> auto& value) {
  visit("name", value.name, kNeeded);
  visit("source", value.source);
  visit("is_baseline", value.is_baseline);
  visit("label", value.label);
  visit("detected", value.detected);
  visit("interface", value.interface);
  visit("ranks", value.ranks);
  visit("nodes", value.nodes);
  visit("differences", value.differences);
}

inline void fields(auto& visit, Of<ComparedCell> auto& value) {
  visit("value", value.value);
  visit("low", value.low);
  visit("high", value.high);
  visit("ratio", value.ratio);
  visit("ratio_low", value.ratio_low);
  visit("ratio_high", value.ratio_high);
  visit("against", value.against, kNeeded);
  visit("reason", value.reason);
}

inline void fields(auto& visit, Of<ComparedRow> auto& value) {
  visit("label", value.label, kNeeded);
  visit("bytes", value.bytes);
  visit("streams", value.streams);
  visit("cells", value.cells);
}

inline void fields(auto& visit, Of<ComparedTable> auto& value) {
  visit("probe", value.probe, kNeeded);
  visit("variant", value.variant);
  visit("quantity", value.quantity);
  visit("unit", value.unit);
  visit("is_more_better", value.is_more_better);
  visit("rows", value.rows);
}

inline void fields(auto& visit, Of<ComparedFactCell> auto& value) {
  visit("text", value.text);
  visit("ratio", value.ratio);
  visit("remedy", value.remedy);
}

inline void fields(auto& visit, Of<ComparedFact> auto& value) {
  visit("name", value.name, kNeeded);
  visit("cells", value.cells);
}

inline void fields(auto& visit, Of<ComparedCost> auto& value) {
  visit("name", value.name, kNeeded);
  visit("text", value.text);
}

inline void fields(auto& visit, Of<Comparison> auto& value) {
  visit("baseline", value.baseline, kNeeded);
  visit("is_interleaved", value.is_interleaved);
  visit("runs", value.runs);
  visit("tables", value.tables);
  visit("facts", value.facts);
  visit("limits", value.limits);
  visit("costs", value.costs);
}

inline void fields(auto& visit, Of<FindingEvidence> auto& value) {
  visit("file", value.file);
  visit("line", value.line);
  visit("text", value.text, kNeeded);
}

inline void fields(auto& visit, Of<FindingSetting> auto& value) {
  visit("name", value.name, kNeeded);
  visit("value", value.value, kNullable);
  visit("where", value.where);
  visit("measure", value.measure);
}

inline void fields(auto& visit, Of<Finding> auto& value) {
  visit("cause", value.cause, kNeeded);
  visit("severity", value.severity, kNeeded);
  visit("title", value.title);
  visit("evidence", value.evidence);
  visit("settings", value.settings);
  visit("why", value.why);
  visit("confidence", value.confidence);
  visit("rule", value.rule);
}

inline void fields(auto& visit, Of<Diagnosis> auto& value) {
  visit("findings", value.findings, kNeeded);
  visit("problems", value.problems);
  visit("unknown", value.unknown);
}

/// The values of an enumeration with a text, in the order of its declaration.
template <typename Enum>
inline constexpr int kEnumCount = 0;
template <>
inline constexpr int kEnumCount<Status> = 3;
template <>
inline constexpr int kEnumCount<ProofState> = 3;
template <>
inline constexpr int kEnumCount<AdviceState> = 5;
template <>
inline constexpr int kEnumCount<Against> = 5;
template <>
inline constexpr int kEnumCount<Severity> = 3;

}  // namespace ringwise::model
