#include "report/csv_renderer.h"

#include <array>
#include <string_view>

#include "report/csv_row.h"

namespace ringwise::report {
namespace {

/// docs/report.md explains each; keep both in step.
constexpr std::array<std::string_view, 49> kColumns{"run",
                                                    "row",
                                                    "started",
                                                    "complete",
                                                    "probe",
                                                    "variant",
                                                    "status",
                                                    "provenance",
                                                    "mode",
                                                    "interface",
                                                    "transport",
                                                    "device",
                                                    "family",
                                                    "settings_name",
                                                    "ranks",
                                                    "nodes",
                                                    "channels",
                                                    "threads",
                                                    "sockets",
                                                    "path_proof",
                                                    "background_bytes_per_s",
                                                    "cpu_throttled_us",
                                                    "bytes",
                                                    "verified",
                                                    "wrong",
                                                    "samples",
                                                    "blocks",
                                                    "time_us_p50",
                                                    "time_us_p99",
                                                    "algbw_gbyte_per_s",
                                                    "busbw_gbyte_per_s",
                                                    "src",
                                                    "dst",
                                                    "direction",
                                                    "gbit_per_s",
                                                    "latency_us_p50",
                                                    "latency_us_p99",
                                                    "low",
                                                    "high",
                                                    "retransmits",
                                                    "path_mtu",
                                                    "device_mtu",
                                                    "route_mtu",
                                                    "forward_mtu",
                                                    "congestion_control",
                                                    "payload_bytes",
                                                    "cpu_s_per_gbyte_src",
                                                    "cpu_s_per_gbyte_dst",
                                                    "reason"};

CsvRow start(const NamedRecord& named, const model::Result& result, const char* kind) {
  CsvRow row;
  row.add(named.name).add(kind).add(named.record.started).add(named.record.complete);
  row.add(result.probe).add(result.variant).add(model::to_text(result.status));
  row.add(result.provenance).add(result.mode ? result.mode : named.record.mode.label);
  row.add(result.interface).add(result.transport).add(result.device).add(result.family);
  row.add(result.settings_name).add(result.ranks).add(result.nodes);
  row.add(result.channels).add(result.threads).add(result.sockets);
  row.add(model::to_text(result.path_proof.state)).add(result.background_bytes_per_s);
  return row.add(result.cpu_throttled_us);
}

std::string size_row(const NamedRecord& named, const model::Result& result,
                     const model::SizeResult& size) {
  CsvRow row = start(named, result, "size");
  row.add(size.bytes).add(size.verified).add(size.wrong).add(size.samples).add(size.blocks);
  row.add(size.time_us_p50).add(size.time_us_p99).add(size.algbw_gbyte_per_s);
  row.add(size.busbw_gbyte_per_s).skip(6).add(size.low).add(size.high).skip(9).add(size.reason);
  return row.line();
}

std::string pair_row(const NamedRecord& named, const model::Result& result,
                     const model::PairResult& pair) {
  CsvRow row = start(named, result, "pair");
  row.add(pair.bytes).skip(8).add(pair.src).add(pair.dst).add(pair.direction);
  row.add(pair.gbit_per_s).add(pair.latency_us_p50).add(pair.latency_us_p99);
  row.add(pair.low).add(pair.high).add(pair.retransmits).add(pair.path_mtu);
  const auto path = pair.path.value_or(model::PathMtu{});
  row.add(path.device_mtu).add(path.route_mtu).add(path.forward_mtu);
  row.add(pair.congestion_control).add(pair.payload_bytes);
  row.add(pair.cpu_s_per_gbyte_src).add(pair.cpu_s_per_gbyte_dst);
  const bool is_ok = pair.status == model::Status::kOk;
  row.add(pair.reason ? *pair.reason : std::string(is_ok ? "" : model::to_text(pair.status)));
  return row.line();
}

}  // namespace

std::string render_csv(std::span<const NamedRecord> records, const RenderOptions& /*options*/) {
  CsvRow header;
  for (const auto name : kColumns) header.add(name);
  std::string text = header.line();
  for (const auto& named : records) {
    for (const auto& result : named.record.results) {
      for (const auto& size : result.sizes) text += size_row(named, result, size);
      for (const auto& pair : result.pairs) text += pair_row(named, result, pair);
      if (result.sizes.empty() && result.pairs.empty()) {
        text += start(named, result, "result").skip(26).add(result.reason).line();
      }
    }
  }
  return text;
}

}  // namespace ringwise::report
