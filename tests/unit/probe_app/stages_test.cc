// How a run is cut into stages and workers.
#include "app/probe/stages.h"

#include <gtest/gtest.h>

#include <set>

namespace ringwise::app {
namespace {

World world_of(int ranks) {
  World world;
  world.hosts.assign(static_cast<std::size_t>(ranks), "node");
  world.nodes = ranks;
  world.seed = 7;
  world.token = "t";
  return world;
}

ProbeOptions options_for(std::vector<std::string> probes) {
  ProbeOptions options;
  options.probes = std::move(probes);
  options.sizes = {8};
  return options;
}

TEST(PlanStages, TheBudgetIsSharedByWeightAndNeverExceedsTheTimeout) {
  const auto stages =
      plan_stages(options_for({"tcp-pairs", "memory-copy", kMpiAllreduce}), world_of(2), {});
  ASSERT_EQ(stages.size(), 3U);
  double sum = 0;
  for (const auto& stage : stages) {
    ASSERT_EQ(stage.runs.size(), 1U);
    sum += stage.runs[0].budget_s;
    EXPECT_LT(stage.runs[0].budget_s, stage.runs[0].timeout_s);
  }
  EXPECT_LE(sum, 60.0);
  EXPECT_GT(stages[0].runs[0].budget_s, stages[1].runs[0].budget_s);
}

TEST(PlanStages, AGivenBudgetLengthensTheStageUnlessItsTimeoutIsGivenToo) {
  auto options = options_for({"tcp-pairs"});
  options.time_budget = std::chrono::seconds(300);
  options.is_time_budget_given = true;
  const auto longer = plan_stages(options, world_of(2), {});
  EXPECT_DOUBLE_EQ(longer[0].runs[0].budget_s, 300);
  EXPECT_GT(longer[0].runs[0].timeout_s, 300);
  options.is_stage_timeout_given = true;
  const auto bounded = plan_stages(options, world_of(2), {});
  EXPECT_DOUBLE_EQ(bounded[0].runs[0].timeout_s, 20);
  EXPECT_LT(bounded[0].runs[0].budget_s, 20);
}

TEST(PlanStages, ASweepGetsTimeForEachConfigurationUnlessTimeIsGiven) {
  auto options = options_for({"tcp-allreduce", "tcp-pairs"});
  options.threads = {0, 1, 2, 4};
  options.sockets = {1, 2, 4};
  const auto sweep = plan_stages(options, world_of(2), {})[0].runs[0];
  EXPECT_DOUBLE_EQ(sweep.budget_s, 80);  // no helper thread once, three threads x three sockets
  EXPECT_GT(sweep.timeout_s, 120);
  EXPECT_GE(sweep.timeout_s, 2.4 * sweep.budget_s);
  EXPECT_GT(planned_s(plan_stages(options, world_of(2), {})), 80);
  options.is_stage_timeout_given = true;
  EXPECT_LT(plan_stages(options, world_of(2), {})[0].runs[0].budget_s, 20);
  options.is_stage_timeout_given = false;
  options.is_time_budget_given = true;
  EXPECT_LE(plan_stages(options, world_of(2), {})[0].runs[0].budget_s, 60);
}

TEST(PlanStages, ATrialRunsEverySetOnceInEveryBlockAndChangesTheOrder) {
  const std::vector<SettingsSet> sets{{"default", {}}, {"a", {{"NCCL_A", "1"}}}, {"b", {}}};
  auto options = options_for({"tcp-allreduce"});
  const auto stages = plan_stages(options, world_of(2), sets);
  ASSERT_EQ(stages.size(), 1U);
  const auto& stage = stages[0];
  ASSERT_EQ(stage.runs.size(), 18U);
  std::set<std::vector<int>> orders;
  for (std::size_t block = 0; block < 6; ++block) {
    std::vector<int> order;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto run = block * 3 + i;
      order.push_back(stage.set_of_run[run]);
      EXPECT_EQ(stage.runs[run].first_block, static_cast<int>(block));
      EXPECT_EQ(stage.runs[run].blocks, 1);
      EXPECT_EQ(stage.runs[run].settings,
                sets[static_cast<std::size_t>(stage.set_of_run[run])].values);
    }
    EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), 3U);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 1U);
}

TEST(TimeBudget, GrowsWithTheNodes) {
  const auto options = options_for({});
  EXPECT_DOUBLE_EQ(time_budget_s(options, 2), 60);
  EXPECT_DOUBLE_EQ(time_budget_s(options, 16), 60);
  EXPECT_DOUBLE_EQ(time_budget_s(options, 32), 80);
  EXPECT_DOUBLE_EQ(time_budget_s(options, 1024), 180);
}

TEST(Stall, IsFoundBeforeTheStageIsKilled) {
  EXPECT_DOUBLE_EQ(stall_s(20), 5);
  EXPECT_DOUBLE_EQ(stall_s(4), 1);
  EXPECT_DOUBLE_EQ(stall_s(1), 0.5);
  EXPECT_DOUBLE_EQ(stall_s(600), 5);
}

}  // namespace
}  // namespace ringwise::app
