#include "runs.h"

#include <gtest/gtest.h>

namespace ringwise::diagnose {

namespace {

constexpr int kHosts = 3;

}  // namespace

model::Result pairs() {
  model::Result result;
  result.probe = "tcp-pairs";
  result.interface = "eth0";
  result.transport = "tcp";
  result.nodes = kHosts;
  result.path_proof.state = model::ProofState::kProved;
  for (int src = 0; src < kHosts; ++src) {
    for (int dst = 0; dst < kHosts; ++dst) {
      if (src == dst) continue;
      model::PairResult pair;
      pair.src = src;
      pair.dst = dst;
      pair.round = src + dst - 1;
      pair.direction = "one-way";
      pair.gbit_per_s = 0.95;
      pair.high = 0.96;
      pair.path_mtu = 1500;
      pair.retransmits = 0;
      pair.payload_bytes = 200'000'000;
      pair.path =
          model::PathMtu{.device_mtu = 1500, .route_mtu = 1500, .forward_mtu = 1500, .reason = {}};
      result.pairs.push_back(pair);
    }
  }
  return result;
}

model::Result wire(double gbyte_per_s) {
  model::Result result;
  result.probe = "tcp-allreduce";
  result.variant = "wire";
  result.interface = "eth0";
  result.transport = "tcp";
  result.nodes = kHosts;
  result.channels = 2;
  result.path_proof.state = model::ProofState::kProved;
  model::SizeResult size;
  size.bytes = 4 << 20;
  size.busbw_gbyte_per_s = gbyte_per_s;
  result.sizes.push_back(size);
  return result;
}

model::RunRecord healthy() {
  model::RunRecord record;
  record.complete = true;
  for (int i = 0; i < kHosts; ++i) {
    model::Host host;
    host.host = "node" + std::to_string(i + 1);
    model::Interface eth0;
    eth0.name = "eth0";
    eth0.is_running = true;
    eth0.mode = "host";
    eth0.addresses.push_back({.family = "inet", .address = "10.0.0.1", .scope = "global"});
    eth0.offloads = model::Offloads{
        .tso = true, .gso = true, .gro = false, .tx_checksum = true, .rx_checksum = true};
    host.interfaces.push_back(eth0);
    record.hosts.push_back(host);
    model::Rank rank;
    rank.rank = i;
    rank.host = host.host;
    rank.interfaces = {"eth0"};
    record.ranks.push_back(rank);
  }
  record.results = {wire(0.119), pairs()};
  return record;
}

model::Diagnosis diagnosed(const model::RunRecord& record) {
  const InputRun run{.source = "run.json", .record = &record};
  return diagnose({&run, 1});
}

std::vector<std::string> causes(const model::RunRecord& record) {
  std::vector<std::string> all;
  for (const auto& finding : diagnosed(record).findings) all.push_back(finding.cause);
  return all;
}

model::Finding only(const model::RunRecord& record) {
  const auto diagnosis = diagnosed(record);
  EXPECT_EQ(diagnosis.findings.size(), 1U);
  return diagnosis.findings.empty()
             ? model::Finding{.cause = "", .title = "", .why = "", .rule = ""}
             : diagnosis.findings.front();
}

void change_pairs(model::RunRecord& record, int rank,
                  const std::function<void(model::PairResult&)>& change) {
  for (auto& pair : record.results[1].pairs) {
    if (pair.src == rank || pair.dst == rank) change(pair);
  }
}

}  // namespace ringwise::diagnose
