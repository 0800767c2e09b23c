// Tests of what may be drawn from, and of what must not.
#include "recommend/evidence.h"

#include <functional>

#include <gmock/gmock.h>

#include "recommend/recommend.h"
#include "run_builder.h"

namespace ringwise::recommend::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Spoiled {
  const char* name;
  std::function<void(model::Result&)> spoil;
  const char* reason;
  bool is_inconclusive;
};

std::vector<Spoiled> spoiled() {
  return {{"failed", [](auto& r) { r.status = model::Status::kFailed; }, "it failed", false},
          {"simulated", [](auto& r) { r.provenance = "simulated"; }, "simulated", false},
          {"contradicted", [](auto& r) { r.path_proof.state = model::ProofState::kContradicted; },
           "another path", false},
          {"wrong", [](auto& r) { r.sizes[0].wrong = 1; }, "wrong data", false},
          {"busy", [](auto& r) { r.background_share = 0.05; }, "5 % of the link", true},
          {"throttled", [](auto& r) { r.cpu_throttled_us = 10; }, "CPU quota", true},
          {"unverified",
           [](auto& r) {
             for (auto& size : r.sizes) size.verified = false;
           },
           "not verified", false},
          {"few blocks", [](auto& r) { r = wire({.blocks = 5}); }, "6 blocks", true}};
}

TEST(Evidence, DrawsNothingFromSpoiledResultsAndSaysWhy) {
  for (const auto& one : spoiled()) {
    auto result = wire({});
    one.spoil(result);
    const std::vector<InputRun> runs{simple_run({result})};
    const auto evidence = gather(runs);
    EXPECT_THAT(evidence.results, IsEmpty()) << one.name;
    ASSERT_EQ(evidence.rejected.size(), 1U) << one.name;
    EXPECT_THAT(evidence.rejected[0].reason, HasSubstr(one.reason));
    EXPECT_EQ(evidence.rejected[0].is_inconclusive, one.is_inconclusive) << one.name;
  }
}

TEST(Evidence, SetsNoVariableOfTheEnvironmentFromSpoiledResults) {
  for (const auto& one : spoiled()) {
    std::vector<model::Result> results{wire({}), wire({.us = 50000, .threads = 4})};
    for (auto& result : results) one.spoil(result);
    const std::vector<InputRun> runs{simple_run(results)};
    const auto made = recommend(runs);
    for (const auto& advice : made.advice) {
      if (advice.where != "env") continue;
      EXPECT_EQ(advice.value, std::nullopt) << one.name << ": " << advice.name;
    }
    EXPECT_EQ(made.is_inconclusive, one.is_inconclusive) << one.name;
  }
}

TEST(Evidence, DrawsNothingFromAnIncompleteRecord) {
  auto run = simple_run({wire({}), wire({.us = 50000, .threads = 4})});
  run.record.complete = false;
  const std::vector<InputRun> runs{run};
  const auto made = recommend(runs);
  EXPECT_FALSE(made.is_complete);
  EXPECT_FALSE(made.pod.has_value());
  for (const auto& advice : made.advice) {
    EXPECT_EQ(advice.state, model::AdviceState::kUnset) << advice.name;
    EXPECT_THAT(advice.reason, HasSubstr("not enough evidence")) << advice.name;
  }
  ASSERT_EQ(made.not_used.size(), 1U);
  EXPECT_THAT(made.not_used[0], HasSubstr("run.json"));
}

TEST(Evidence, LeavesSkippedResultsOutWithoutAWord) {
  model::Result skipped;
  skipped.probe = "mpi-allreduce";
  skipped.status = model::Status::kSkipped;
  const std::vector<InputRun> runs{simple_run({wire({}), skipped})};
  EXPECT_THAT(gather(runs).rejected, IsEmpty());
}

TEST(Evidence, NamesTheRunInItsKeysWhenThereAreSeveral) {
  const std::vector<InputRun> runs{simple_run({wire({})}), simple_run({wire({})})};
  EXPECT_EQ(gather(runs).results[1].key, "runs[1].results[0]");
}

TEST(ModeChoice, TakesHostNetworkOnlyForAGainBeyondTenPercent) {
  const auto mode_of = [](double host_us) {
    const std::vector<InputRun> runs{simple_run({wire({.us = 100000})}, "overlay"),
                                     simple_run({wire({.us = host_us})}, "host")};
    return gather(runs).mode;
  };
  EXPECT_EQ(mode_of(95000), "overlay");
  EXPECT_EQ(mode_of(80000), "host");
}

TEST(ModeChoice, GivesTheNumbersThatDecided) {
  const std::vector<InputRun> runs{simple_run({wire({.us = 100000})}, "overlay"),
                                   simple_run({wire({.us = 80000})}, "host")};
  const auto evidence = gather(runs);
  ASSERT_EQ(evidence.mode_notes.size(), 1U);
  EXPECT_THAT(evidence.mode_notes[0], HasSubstr("at or above the 1.10"));
}

}  // namespace
}  // namespace ringwise::recommend::test
