// Bringing the ranks' reports together.
#include "probe/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::probe {
namespace {

using model::Result;
using model::StageReport;
using model::Status;
using testing::ElementsAre;
using testing::HasSubstr;

StageReport report_of(std::vector<double> medians_us) {
  model::SizeResult size;
  size.bytes = 4'000'000;
  size.verified = true;
  size.wrong = 0;
  size.samples = 60;
  size.block_medians_us = std::move(medians_us);
  size.time_us_p99 = 100;
  Result result;
  result.probe = "tcp-allreduce";
  result.collective = "allreduce";
  result.ranks = 2;
  result.interface = "eth0";
  result.path_proof = {model::ProofState::kProved, "counted"};
  result.cpu_seconds = 1.5;
  result.stray_connections = 1;
  result.sizes.push_back(size);
  StageReport report;
  report.results.push_back(result);
  return report;
}

using Reports = std::vector<std::optional<StageReport>>;

TEST(MergeResults, TheSlowestRankCountsInEveryBlock) {
  const auto merged = merge_results(
      Reports{report_of({10, 40, 30, 30, 30, 30}), report_of({20, 10, 30, 30, 30, 30})});
  ASSERT_EQ(merged.size(), 1U);
  const auto& size = merged[0].sizes.at(0);
  EXPECT_THAT(size.block_medians_us, ElementsAre(20, 40, 30, 30, 30, 30));
  EXPECT_EQ(size.time_us_p50, 30);
  EXPECT_EQ(size.blocks, 6U);
  EXPECT_EQ(merged[0].status, Status::kOk);
  EXPECT_EQ(merged[0].cpu_seconds, 3.0);
  EXPECT_EQ(merged[0].stray_connections, 2U);
}

TEST(MergeResults, WrongDataIsAFailure) {
  auto wrong = report_of({10, 10, 10, 10, 10, 10});
  wrong.results[0].sizes[0].wrong = 3;
  const auto merged = merge_results(Reports{report_of({10, 10, 10, 10, 10, 10}), wrong});
  EXPECT_EQ(merged[0].status, Status::kFailed);
  EXPECT_EQ(merged[0].reason, "3 wrong elements at 3.81 MiB");
}

TEST(MergeResults, BytesOnAnotherPathAreAFailure) {
  auto astray = report_of({10, 10, 10, 10, 10, 10});
  astray.results[0].path_proof = {model::ProofState::kContradicted, "eth1 counted them"};
  const auto merged = merge_results(Reports{report_of({10, 10, 10, 10, 10, 10}), astray});
  EXPECT_EQ(merged[0].status, Status::kFailed);
  EXPECT_THAT(*merged[0].reason, HasSubstr("another path: eth1 counted them"));
}

TEST(MergeResults, BusbwIsAlgbwTimesTheRingsFactor) {
  auto one = report_of({1000, 1000, 1000, 1000, 1000, 1000});
  one.results[0].ranks = 4;
  const auto merged = merge_results(Reports{one, one, one, one});
  const auto& size = merged[0].sizes.at(0);
  // 4 MB in 1 ms are 4 GB/s; 2 x 3 / 4 of that on the wire.
  EXPECT_DOUBLE_EQ(size.algbw_gbyte_per_s.value(), 4.0);
  EXPECT_DOUBLE_EQ(size.busbw_gbyte_per_s.value(), 6.0);
  EXPECT_DOUBLE_EQ(size.low.value(), 6.0);
  EXPECT_DOUBLE_EQ(size.high.value(), 6.0);
}

TEST(MergeResults, FewerThanSixBlocksHaveNoInterval) {
  const auto merged =
      merge_results(Reports{report_of({1, 2, 3, 4, 5}), report_of({1, 2, 3, 4, 5})});
  EXPECT_FALSE(merged[0].sizes.at(0).low);
  EXPECT_TRUE(merged[0].sizes.at(0).busbw_gbyte_per_s);
}

TEST(MergeResults, ABlockThatOneRankLacksIsNone) {
  const auto merged = merge_results(Reports{report_of({10, 10, 10}), report_of({10, 10})});
  EXPECT_EQ(merged[0].sizes.at(0).blocks, 2U);
}

TEST(MergeResults, ARankWithoutAReportFailsTheResult) {
  const auto merged = merge_results(Reports{report_of({10}), std::nullopt});
  EXPECT_EQ(merged[0].status, Status::kFailed);
  EXPECT_THAT(merged[0].reason.value(), HasSubstr("only 1 of 2 ranks"));
}

TEST(MergeResults, OneFailedRankFailsTheResult) {
  auto failed = report_of({10});
  failed.results[0].status = Status::kFailed;
  failed.results[0].reason = "no bytes from rank 0";
  const auto merged = merge_results(Reports{report_of({10}), failed});
  EXPECT_EQ(merged[0].status, Status::kFailed);
  EXPECT_EQ(merged[0].reason, "no bytes from rank 0");
}

TEST(MergeResults, WrongElementsAddUpAndOneUnverifiedRankLeavesItUnverified) {
  auto wrong = report_of({10});
  wrong.results[0].sizes[0].wrong = 3;
  auto unverified = report_of({10});
  unverified.results[0].sizes[0].verified = false;
  const auto merged = merge_results(Reports{wrong, wrong, unverified});
  EXPECT_EQ(merged[0].sizes.at(0).wrong, 6U);
  EXPECT_FALSE(merged[0].sizes.at(0).verified);
}

TEST(MergeResults, TheWorstPathProofStands) {
  auto unavailable = report_of({10});
  unavailable.results[0].path_proof = {model::ProofState::kUnavailable, "no counters"};
  auto contradicted = report_of({10});
  contradicted.results[0].path_proof = {model::ProofState::kContradicted, "too few bytes"};
  EXPECT_EQ(merge_results(Reports{report_of({10}), unavailable})[0].path_proof.reason,
            "no counters");
  EXPECT_EQ(merge_results(Reports{contradicted, unavailable})[0].path_proof.reason,
            "too few bytes");
}

TEST(MergeResults, InterfacesThatDifferAreAllNamed) {
  auto other = report_of({10});
  other.results[0].interface = "ens5";
  EXPECT_EQ(merge_results(Reports{report_of({10}), other})[0].interface, "eth0|ens5");
}

TEST(JoinBlocks, AppendsTheBlocksOfWorkersThatRanOneAfterTheOther) {
  const std::vector<std::vector<Result>> workers{report_of({10}).results, report_of({20}).results,
                                                 report_of({30}).results};
  const auto joined = join_blocks(workers);
  ASSERT_EQ(joined.size(), 1U);
  EXPECT_THAT(joined[0].sizes.at(0).block_medians_us, ElementsAre(10, 20, 30));
  EXPECT_EQ(joined[0].sizes.at(0).samples, 180U);
  EXPECT_EQ(joined[0].interface, "eth0");
}

}  // namespace
}  // namespace ringwise::probe
