// How the stages' outcomes become the record.
#include "app/probe/record_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::app {
namespace {

using testing::HasSubstr;

World two_hosts() {
  World world;
  for (int rank = 0; rank < 2; ++rank) {
    Introduction introduction;
    introduction.host.host = "node" + std::to_string(rank + 1);
    introduction.rank.rank = rank;
    introduction.rank.host = introduction.host.host;
    world.introductions.push_back(introduction);
    world.host_of_rank.push_back(rank);
    world.hosts.push_back(introduction.host.host);
  }
  world.nodes = 2;
  return world;
}

Stage stage_of(std::vector<SettingsSet> sets) {
  Stage stage;
  stage.probe = "tcp-allreduce";
  stage.sets = std::move(sets);
  for (std::size_t i = 0; i < stage.sets.size(); ++i) {
    stage.runs.emplace_back();
    stage.set_of_run.push_back(static_cast<int>(i));
  }
  return stage;
}

model::StageReport good_report() {
  model::StageReport report;
  report.results.emplace_back();
  report.results.back().probe = "tcp-allreduce";
  return report;
}

StageOutcome both_reported() {
  StageOutcome outcome;
  outcome.reports = {good_report(), good_report()};
  return outcome;
}

TEST(RecordBuilder, AStageThatAllRanksReportedIsComplete) {
  RecordBuilder builder({}, two_hosts());
  const auto stage = stage_of({{"default", {}}});
  builder.add_run(stage, 0, both_reported());
  builder.finish_stage(stage);
  const auto record = builder.record();
  EXPECT_TRUE(record.complete);
  EXPECT_EQ(record.hosts.size(), 2U);
  ASSERT_EQ(record.results.size(), 1U);
  EXPECT_FALSE(record.results[0].settings_name) << "it was no trial";
}

TEST(RecordBuilder, AKilledWorkerFailsTheStageAndIsNamed) {
  RecordBuilder builder({}, two_hosts());
  const auto stage = stage_of({{"default", {}}});
  StageOutcome outcome;
  outcome.reports = {good_report(), std::nullopt};
  model::Problem problem;
  problem.stage = "tcp-allreduce";
  problem.rank = 1;
  problem.host = "node2";
  problem.text = "the worker ended early: signal 9 (Killed)";
  outcome.problems.push_back(problem);
  builder.add_run(stage, 0, outcome);
  builder.finish_stage(stage);
  const auto record = builder.record();
  EXPECT_FALSE(record.complete);
  ASSERT_EQ(record.results.size(), 1U);
  EXPECT_EQ(record.results[0].status, model::Status::kFailed);
  EXPECT_THAT(record.results[0].reason.value(), HasSubstr("rank 1 (node2)"));
  EXPECT_EQ(record.problems.size(), 1U);
}

TEST(RecordBuilder, EverySetOfATrialIsAResultWithItsSettings) {
  RecordBuilder builder({}, two_hosts());
  const auto stage = stage_of({{"default", {}}, {"a.env", {{"NCCL_A", "1"}}}});
  for (std::size_t run = 0; run < 2; ++run) {
    builder.add_run(stage, run, both_reported());
  }
  builder.finish_stage(stage);
  const auto record = builder.record();
  ASSERT_EQ(record.results.size(), 2U);
  EXPECT_EQ(record.results[0].settings_name, "default");
  EXPECT_EQ(record.results[1].settings_name, "a.env");
  EXPECT_EQ(record.results[1].settings.at("NCCL_A"), "1");
}

}  // namespace
}  // namespace ringwise::app
