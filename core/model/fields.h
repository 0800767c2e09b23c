// The JSON key of every member of the model types, written once for reading and for writing.
// Private to core/model. A visitor takes (key, member) for most members and (key, member, kNeeded)
// for those without which the object has no meaning: the reader refuses an object that lacks one.
#pragma once

#include "model/advice.h"
#include "model/comparison.h"
#include "model/finding.h"
#include "model/host_fields.h"
#include "model/record.h"
#include "model/visit.h"

namespace ringwise::model {

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
  visit("alternatives", value.alternatives);
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
