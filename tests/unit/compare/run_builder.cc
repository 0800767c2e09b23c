#include "run_builder.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "stats/interval.h"
#include "stats/percentile.h"

namespace ringwise::compare::test {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

std::vector<InputRun> inputs_of(const std::vector<model::RunRecord>& records) {
  std::vector<InputRun> inputs;
  for (std::size_t i = 0; i < records.size(); ++i) {
    inputs.push_back(
        {.source = std::string(1, static_cast<char>('a' + i)) + ".json", .record = &records[i]});
  }
  return inputs;
}

}  // namespace

model::Result wire(const Run& run) {
  model::Result result;
  result.probe = "tcp-allreduce";
  result.variant = "wire";
  result.interface = run.interface;
  result.transport = "tcp";
  result.collective = "allreduce";
  result.family = "inet";
  result.ranks = static_cast<int>(run.nodes.size());
  result.nodes = result.ranks;
  result.channels = 2;
  result.threads = 0;
  result.sockets = 0;
  result.path_proof = {model::ProofState::kProved, "it grew by the payload"};
  for (const std::uint64_t bytes : {std::uint64_t{8}, kMib, 4 * kMib}) {
    model::SizeResult size;
    size.bytes = bytes;
    size.verified = true;
    size.wrong = 0;
    size.blocks = static_cast<std::uint64_t>(run.blocks);
    const double us = bytes < kMib
                          ? run.latency_us
                          : run.us_per_mib * static_cast<double>(bytes) / static_cast<double>(kMib);
    for (int block = 0; block < run.blocks; ++block) {
      // No ties: 0, +1, -1, +2, -2, ... steps around the middle.
      const int step = (block % 2 == 0 ? 1 : -1) * ((block + 1) / 2);
      size.block_medians_us.push_back(us * (1 + run.spread * step));
    }
    size.time_us_p50 = stats::median(size.block_medians_us);
    const auto rate = [&](double time) { return static_cast<double>(bytes) / time / 1e3; };
    size.busbw_gbyte_per_s = rate(*size.time_us_p50);
    if (const auto range = stats::median_interval(size.block_medians_us)) {
      size.low = rate(range->high);
      size.high = rate(range->low);
    }
    result.sizes.push_back(size);
  }
  return result;
}

model::Result pairs(const Run& run) {
  model::Result result;
  result.probe = "tcp-pairs";
  result.interface = run.interface;
  result.transport = "tcp";
  result.path_proof = {model::ProofState::kProved, "it grew by the payload"};
  const int ranks = static_cast<int>(run.nodes.size());
  int number = 0;
  for (int src = 0; src < ranks; ++src) {
    for (int dst = 0; dst < ranks; ++dst) {
      if (src == dst) continue;
      model::PairResult pair;
      pair.src = src;
      pair.dst = dst;
      pair.direction = "one-way";
      const double own = 1 + 0.0001 * ++number;
      pair.gbit_per_s = run.gbit_per_s * own;
      pair.latency_us_p50 = run.latency_us * own;
      pair.latency_us_p99 = 3 * run.latency_us * own;
      pair.path_mtu = run.mtu;
      pair.retransmits = 0;
      result.pairs.push_back(pair);
    }
  }
  return result;
}

model::RunRecord record(const Run& run) {
  model::RunRecord made;
  made.complete = true;
  made.tool.version = "1.0.0";
  made.mode.label = run.mode;
  made.launch.ranks = static_cast<int>(run.nodes.size());
  made.launch.nodes = made.launch.ranks;
  made.launch.ranks_per_node.assign(run.nodes.size(), 1);
  for (const auto& node : run.nodes) {
    model::Host host;
    host.host = node;
    host.shm.size_bytes = std::uint64_t{8} << 30;
    made.hosts.push_back(host);
  }
  made.results = {wire(run), pairs(run)};
  return made;
}

model::Comparison compared(const std::vector<model::RunRecord>& records, const Options& options) {
  return compare(inputs_of(records), options);
}

std::string refusal(const std::vector<model::RunRecord>& records, const Options& options) {
  try {
    (void)compared(records, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

model::ComparedCell cell(const model::Comparison& comparison, std::uint64_t bytes,
                         std::size_t run) {
  for (const auto& table : comparison.tables) {
    for (const auto& row : table.rows) {
      if (table.probe == "tcp-allreduce" && row.bytes == bytes) return row.cells.at(run);
    }
  }
  ADD_FAILURE() << "no row of " << bytes << " bytes";
  return {};
}

std::string fact_text(const model::Comparison& comparison, const std::string& name,
                      std::size_t run) {
  for (const auto* facts : {&comparison.facts, &comparison.limits}) {
    for (const auto& fact : *facts) {
      if (fact.name == name) return fact.cells.at(run).text.value_or("-");
    }
  }
  ADD_FAILURE() << "no fact " << name;
  return {};
}

}  // namespace ringwise::compare::test
