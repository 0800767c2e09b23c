#include "sample_record.h"

#include <string>
#include <vector>

#include "stats/interval.h"
#include "stats/percentile.h"

namespace ringwise::report::test {
namespace {

using model::Result;
using model::RunRecord;
using model::SizeResult;

/// Six blocks around `us`, a tenth of a percent apart.
SizeResult size_of(std::uint64_t bytes, double us, int ranks) {
  SizeResult size;
  size.bytes = bytes;
  size.verified = true;
  size.wrong = 0;
  size.samples = 120;
  size.blocks = 6;
  for (int block = 0; block < 6; ++block) {
    size.block_medians_us.push_back(us * (1 + 0.001 * (block % 3 - 1)));
  }
  const double factor = 2.0 * (ranks - 1) / ranks;
  const auto rate = [&](double t) { return static_cast<double>(bytes) / t / 1e3 * factor; };
  size.time_us_p50 = stats::median(size.block_medians_us);
  size.time_us_p99 = us * 1.05;
  size.algbw_gbyte_per_s = static_cast<double>(bytes) / *size.time_us_p50 / 1e3;
  size.busbw_gbyte_per_s = rate(*size.time_us_p50);
  const auto range = stats::median_interval(size.block_medians_us);
  size.low = rate(range->high);
  size.high = rate(range->low);
  return size;
}

Result tcp_result(const std::string& variant, double slower) {
  Result result;
  result.probe = "tcp-allreduce";
  result.variant = variant;
  result.mode = "host";
  result.interface = "eth0";
  result.transport = "tcp";
  result.collective = "allreduce";
  result.dtype = "float32";
  result.op = "sum";
  result.family = "inet";
  result.ranks = 3;
  result.nodes = 3;
  result.channels = 2;
  result.threads = 0;
  result.sockets = 1;
  result.path_proof = {model::ProofState::kProved, "eth0 grew by 1.03 of the payload on 3 ranks"};
  result.background_bytes_per_s = 1250;
  result.background_share = 0.00001;
  result.cpu_throttled_us = 0;
  result.cpu_seconds = 3.25;
  result.sizes = {size_of(8, 92.0 * slower, 3), size_of(65536, 780 * slower, 3),
                  size_of(1 << 20, 11800 * slower, 3), size_of(16 << 20, 188000 * slower, 3)};
  return result;
}

Result pairs_result() {
  Result result;
  result.probe = "tcp-pairs";
  result.interface = "eth0";
  result.ranks = 3;
  result.nodes = 3;
  result.path_proof = {model::ProofState::kProved, "eth0 grew by 1.03 of the payload"};
  for (int src = 0; src < 3; ++src) {
    for (int dst = 0; dst < 3; ++dst) {
      if (src == dst) continue;
      model::PairResult pair;
      pair.src = src;
      pair.dst = dst;
      pair.direction = "one-way";
      pair.bytes = 8388608;
      pair.gbit_per_s = 0.954 - 0.001 * src;
      pair.latency_us_p50 = 23.5 + dst;
      pair.retransmits = src == 2 ? 3 : 0;
      pair.path_mtu = 1500;
      pair.payload_bytes = 715653120;
      pair.congestion_control = "cubic";
      pair.cpu_s_per_gbyte_src = 0.35;
      pair.cpu_s_per_gbyte_dst = 0.625;
      pair.path = model::PathMtu{};
      pair.path->device_mtu = 1500;
      pair.path->route_mtu = 1500;
      pair.path->forward_mtu = 1500;
      if (src == 1 && dst == 2) pair.path->forward_mtu = 1400;
      if (src == 2 && dst == 1) {
        pair.path->forward_mtu.reset();
        pair.path->reason = "no UDP packet arrived";
      }
      result.pairs.push_back(pair);
      pair.path.reset();
      pair.congestion_control.reset();
      pair.cpu_s_per_gbyte_src.reset();
      pair.cpu_s_per_gbyte_dst.reset();
      pair.direction = "both";
      pair.gbit_per_s = 0.931;
      pair.latency_us_p50.reset();
      result.pairs.push_back(pair);
    }
  }
  return result;
}

model::Host host_of(const std::string& name, int number) {
  model::Host host;
  host.host = name;
  host.kernel = "6.1.0-18-amd64";
  model::Interface eth0;
  eth0.name = "eth0";
  eth0.index = 2;
  eth0.kind = "veth";
  eth0.is_up = true;
  eth0.is_running = true;
  eth0.mtu = 1500;
  eth0.addresses = {{.family = "inet",
                     .address = "10.0.0." + std::to_string(number),
                     .prefix_length = 24,
                     .scope = "global"}};
  host.interfaces = {eth0};
  host.cpus.allowed_count = 8;
  host.nccl.found = true;
  host.nccl.version = "2.28.9";
  return host;
}

RunRecord empty_record() {
  RunRecord record;
  record.tool = {.name = "ringwise", .version = "0.1.0", .features = {"mpi", "hwloc"}};
  record.started = "2026-01-31T12:00:00Z";
  record.ended = "2026-01-31T12:00:48Z";
  record.complete = true;
  record.launch = {.asked_ranks = 3,
                   .asked_nodes = 3,
                   .ranks = 3,
                   .nodes = 3,
                   .ranks_per_node = {1, 1, 1},
                   .launcher = "openmpi"};
  record.mode = {.label = "host", .detected = "host", .evidence = {"eth0 is a veth; no pod"}};
  for (int i = 0; i < 3; ++i) {
    const auto name = "node" + std::to_string(i + 1);
    record.hosts.push_back(host_of(name, i + 1));
    record.ranks.push_back({.rank = i,
                            .host = name,
                            .local_rank = 0,
                            .interfaces = {"eth0"},
                            .bootstrap_interface = "eth0",
                            .selection = "NCCL's automatic choice"});
  }
  return record;
}

}  // namespace

RunRecord sample_record() {
  auto record = empty_record();
  record.results.push_back(tcp_result("reduce", 1.02));
  record.results.push_back(tcp_result("wire", 1.0));
  for (const auto& [threads, slower] : std::vector<std::pair<int, double>>{{2, 0.9}, {4, 0.95}}) {
    auto swept = tcp_result("wire", slower);
    swept.threads = threads;
    record.results.push_back(swept);
  }
  auto shm = tcp_result("default", 0.01);
  shm.probe = "shm-allreduce";
  shm.variant.reset();
  shm.settings_name = "default";
  record.results.push_back(shm);
  shm.settings_name = "try.env";
  shm.settings = {{"NCCL_BUFFSIZE", "8388608"}};
  shm.sizes.back() = size_of(16 << 20, 2000, 3);
  record.results.push_back(shm);
  record.results.push_back(pairs_result());
  Result skipped;
  skipped.probe = "mpi-allreduce";
  skipped.status = model::Status::kSkipped;
  skipped.reason = "the control interface is eth1, the measured one eth0";
  record.results.push_back(skipped);
  return record;
}

RunRecord broken_record() {
  auto record = empty_record();
  record.complete = false;
  record.ended.clear();
  record.launch.ranks = 2;
  record.launch.nodes = 2;
  record.mode.label.reset();
  record.mode.detected.reset();
  auto wire = tcp_result("wire", 1.0);
  wire.path_proof = {model::ProofState::kContradicted, "eth1 grew, not eth0"};
  wire.sizes[2].wrong = 3;
  wire.sizes[3] = {};
  wire.sizes[3].bytes = 16 << 20;
  wire.sizes[3].reason = "the time budget was used up";
  wire.background_share = 0.07;
  wire.cpu_throttled_us = 1234567;
  wire.stray_connections = 2;
  record.results.push_back(wire);
  auto pairs = pairs_result();
  pairs.status = model::Status::kFailed;
  pairs.reason = "rank 1 stopped answering";
  pairs.pairs[0].gbit_per_s.reset();
  pairs.pairs[0].status = model::Status::kFailed;
  pairs.pairs[0].reason = "no answer for 20 s";
  record.results.push_back(pairs);
  model::Problem problem;
  problem.stage = "tcp-pairs";
  problem.rank = 1;
  problem.host = "node2\x1b[31m";
  problem.interface = "eth0";
  problem.peer = 0;
  problem.peer_host = "node1";
  problem.step = "round 2, 8 MiB";
  problem.text = "no answer for 20 s | <b>*really*</b>";
  record.problems.push_back(problem);
  return record;
}

}  // namespace ringwise::report::test
