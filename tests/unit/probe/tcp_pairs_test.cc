// Pairs over loopback, ranks as threads.
#include "probe/tcp_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "comm/local_group.h"
#include "probe/merge.h"
#include "probe/registry.h"
#include "probe/run_one.h"

namespace ringwise::probe {
namespace {

using model::StageReport;
using model::Status;

StageSpec spec_for(int ranks) {
  StageSpec spec;
  spec.probe = "tcp-pairs";
  spec.ranks = ranks;
  spec.hosts.assign(static_cast<std::size_t>(ranks), "here");
  spec.token = "00112233445566778899aabbccddeeff";
  spec.interface = "=lo";
  spec.blocks = 2;
  spec.budget_s = 0.2;
  spec.stall_s = 1;
  return spec;
}

/// Runs the probe on every rank; the reports by rank.
std::vector<std::optional<StageReport>> run(const StageSpec& base) {
  std::vector<std::optional<StageReport>> reports(static_cast<std::size_t>(base.ranks));
  std::mutex mutex;
  const auto thrown = comm::LocalGroup::run(base.ranks, [&](comm::Communicator& comm) {
    StageSpec spec = base;
    spec.rank = comm.rank();
    StageContext context{.spec = spec,
                         .comm = comm,
                         .deadline = base::Deadline::after(std::chrono::seconds(30)),
                         .step = [](std::string_view) {},
                         .progress = [](double, std::string_view) {}};
    auto report = run_one(*find_probe("tcp-pairs"), context);
    const std::lock_guard lock(mutex);
    reports[static_cast<std::size_t>(comm.rank())] = std::move(report);
  });
  EXPECT_THAT(thrown, testing::Each(""));
  return reports;
}

TEST(TcpPairs, EveryOrderedPairIsMeasuredInBothKinds) {
  const auto merged = merge_results(run(spec_for(3)));
  ASSERT_EQ(merged.size(), 1U);
  const auto& result = merged[0];
  EXPECT_EQ(result.status, Status::kOk) << result.reason.value_or("");
  EXPECT_EQ(result.pairs.size(), 3U * 2U * 2U);
  for (int src = 0; src < 3; ++src) {
    for (int dst = 0; dst < 3; ++dst) {
      if (src == dst) continue;
      const auto row = std::find_if(result.pairs.begin(), result.pairs.end(), [&](const auto& p) {
        return p.src == src && p.dst == dst && p.direction == "one-way";
      });
      ASSERT_NE(row, result.pairs.end()) << src << " to " << dst;
      EXPECT_TRUE(row->gbit_per_s);
      EXPECT_TRUE(row->latency_us_p50);
      EXPECT_TRUE(row->path_mtu);
      ASSERT_TRUE(row->path);
      EXPECT_TRUE(row->path->device_mtu);
      EXPECT_TRUE(row->path->forward_mtu) << row->path->reason.value_or("");
      EXPECT_FALSE(model::is_too_narrow(*row->path));
      EXPECT_TRUE(row->congestion_control);
      EXPECT_GT(row->payload_bytes.value_or(0), 0U);
      EXPECT_GT(row->cpu_s_per_gbyte_src.value_or(0), 0);
      EXPECT_GT(row->cpu_s_per_gbyte_dst.value_or(0), 0);
      EXPECT_FALSE(row->low) << "two blocks give no interval";
    }
  }
  EXPECT_EQ(result.path_proof.state, model::ProofState::kProved) << result.path_proof.reason;
}

TEST(TcpPairs, OneRankIsSkipped) {
  const auto reports = run(spec_for(1));
  EXPECT_EQ(reports[0]->results.at(0).status, Status::kSkipped);
}

TEST(TcpPairs, AnInterfaceThatIsNotThereFailsWithItsName) {
  auto spec = spec_for(2);
  spec.interface = "=nosuch0";
  const auto reports = run(spec);
  EXPECT_EQ(reports[0]->results.at(0).status, Status::kFailed);
  EXPECT_THAT(reports[0]->results.at(0).reason.value(), testing::HasSubstr("nosuch0"));
}

}  // namespace
}  // namespace ringwise::probe
