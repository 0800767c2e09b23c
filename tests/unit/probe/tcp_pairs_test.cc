// Pairs over loopback, ranks as threads.
#include "probe/tcp_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "base/error.h"
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

/// A group that comes to its end in the middle of a stage, as when the stage's time is over; or
/// one that has lost a rank from the start.
class Cut final : public comm::Communicator {
 public:
  struct How {
    int gathers = 1 << 30;  ///< that still work
    int lost = -1;          ///< rank that takes no part
  };
  Cut(comm::Communicator& group, How how) : group_(group), how_(how) {}
  [[nodiscard]] int rank() const override { return group_.rank(); }
  [[nodiscard]] int size() const override { return group_.size(); }
  std::vector<std::string> gather_all(const std::string& mine, base::Deadline deadline) override {
    if (how_.gathers-- <= 0) throw Error(ErrorKind::kPeer, "the stage's time is over");
    return group_.gather_all(mine, deadline);
  }
  std::vector<comm::Contribution> gather_present(const std::string& mine,
                                                 base::Deadline deadline) override {
    auto all = comm::Communicator::gather_present(mine, deadline);
    if (how_.lost >= 0) all.at(static_cast<std::size_t>(how_.lost)) = {"", "rank 2 (here) died"};
    return all;
  }
  double max(double mine, base::Deadline deadline) override { return group_.max(mine, deadline); }

 private:
  comm::Communicator& group_;
  How how_;
};

/// Runs the probe on every rank; the reports by rank.
std::vector<std::optional<StageReport>> run(const StageSpec& base, Cut::How how = {}) {
  std::vector<std::optional<StageReport>> reports(static_cast<std::size_t>(base.ranks));
  std::mutex mutex;
  const auto thrown = comm::LocalGroup::run(base.ranks, [&](comm::Communicator& group) {
    Cut comm(group, how);
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

TEST(TcpPairs, WhatWasMeasuredBeforeTheStageEndedStays) {
  // The addresses, and two of three rounds.
  const auto merged = merge_results(run(spec_for(3), {.gathers = 3}));
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].status, Status::kFailed);
  std::size_t measured = 0;
  for (const auto& row : merged[0].pairs) measured += row.gbit_per_s ? 1 : 0;
  EXPECT_EQ(measured, 3U * 2U * 2U) << "the third round was measured too, and not agreed on";
  const auto earlier = merge_results(run(spec_for(3), {.gathers = 1}));
  std::size_t skipped = 0;
  for (const auto& row : earlier.at(0).pairs) {
    if (row.status != Status::kSkipped) continue;
    ++skipped;
    EXPECT_EQ(row.reason, "not measured: the stage ended before its turn");
  }
  EXPECT_EQ(skipped, 2U * 2U * 2U);
}

TEST(TcpPairs, GoesOnWithoutARankThatIsLost) {
  const auto merged = merge_results(run(spec_for(3), {.lost = 2}));
  ASSERT_EQ(merged.size(), 1U);
  for (const auto& row : merged[0].pairs) {
    const bool is_with_lost = row.src == 2 || row.dst == 2;
    EXPECT_EQ(row.status, is_with_lost ? Status::kSkipped : Status::kOk);
    if (is_with_lost) {
      EXPECT_EQ(row.reason, "not measured: rank 2 (here) died");
    }
  }
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
