// Tests of what a --settings trial does to the advice.
#include "recommend/trial.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "recommend/recommend.h"
#include "run_builder.h"

namespace ringwise::recommend::test {
namespace {

using model::AdviceState;
using ::testing::HasSubstr;

const std::map<std::string, std::string> kGood{{"NCCL_SOCKET_NTHREADS", "4"}};
const std::map<std::string, std::string> kBad{{"NCCL_SOCKET_SNDBUF", "4096"}};
const std::map<std::string, std::string> kBoth{{"NCCL_SOCKET_SNDBUF", "4096"},
                                               {"NCCL_SOCKET_NTHREADS", "4"}};

model::Result set_of(const std::string& name, const std::map<std::string, std::string>& settings,
                     double us, double spread = 0.001) {
  return wire({.us = us, .spread = spread, .settings_name = name, .settings = settings});
}

std::vector<model::Advice> advise(const std::vector<model::Result>& results) {
  const std::vector<InputRun> runs{simple_run(results)};
  return recommend(runs).advice;
}

TEST(Trial, ConfirmsASettingThatGainsAlone) {
  const auto advice =
      advice_named(advise({set_of("default", {}, 100000), set_of("x.env", kGood, 80000)}),
                   "NCCL_SOCKET_NTHREADS");
  EXPECT_EQ(advice.state, AdviceState::kConfirmed);
  EXPECT_EQ(advice.value, "4");
  EXPECT_NEAR(*advice.factor, 1.25, 1e-3);
  EXPECT_GT(*advice.factor_low, 1);
  EXPECT_THAT(advice.reason, HasSubstr("x.env moves 1.250"));
}

TEST(Trial, JudgesByTheLargeSizesWhereThereAreSome) {
  auto with = set_of("x.env", kGood, 80000);
  for (auto& us : with.sizes[0].block_medians_us) us *= 3;  // 1 MiB
  const auto advice =
      advice_named(advise({set_of("default", {}, 100000), with}), "NCCL_SOCKET_NTHREADS");
  EXPECT_EQ(advice.state, AdviceState::kConfirmed);
  EXPECT_NEAR(*advice.factor, 1.25, 1e-3);
  EXPECT_THAT(advice.reason, HasSubstr("over 4 MiB to 16 MiB"));
}

TEST(Trial, JudgesBySmallerSizesWhereThereAreNoOthers) {
  auto base = set_of("default", {}, 100000);
  auto with = set_of("x.env", kGood, 80000);
  for (auto* result : {&base, &with}) result->sizes.resize(1);
  const auto advice = advice_named(advise({base, with}), "NCCL_SOCKET_NTHREADS");
  EXPECT_EQ(advice.state, AdviceState::kConfirmed);
  EXPECT_THAT(advice.reason, HasSubstr("over 1 MiB"));
}

TEST(Trial, DropsASettingThatLosesOrDoesNotGain) {
  for (const double us : {130000.0, 100000.0}) {
    const auto advice = advice_named(
        advise({set_of("default", {}, 100000), set_of("x.env", kBad, us)}), "NCCL_SOCKET_SNDBUF");
    EXPECT_EQ(advice.state, AdviceState::kDropped);
  }
}

/// A sweep whose smallest best setting is `threads` x `sockets`, twice as fast as the default.
InputRun sweep(int threads, int sockets) {
  return simple_run(
      {wire({.us = 100000}), wire({.us = 50000, .threads = threads, .sockets = sockets})});
}

/// The whole advice of these runs in both orders, which has to be the same.
std::vector<model::Advice> advise_in_any_order(const InputRun& a, const InputRun& b) {
  auto one = recommend(std::vector<InputRun>{a, b}).advice;
  const auto other = recommend(std::vector<InputRun>{b, a}).advice;
  for (const auto& advice : one) {
    const auto same = advice_named(other, advice.name);
    EXPECT_EQ(same.value, advice.value) << advice.name;
    EXPECT_EQ(same.state, advice.state) << advice.name;
  }
  return one;
}

TEST(Trial, ThatIsInconclusiveLeavesWhatASweepShows) {
  auto with =
      set_of("x.env", {{"NCCL_SOCKET_NTHREADS", "2"}, {"NCCL_NSOCKS_PERTHREAD", "1"}}, 90000);
  for (auto& size : with.sizes) {
    for (std::size_t block = 0; block < size.block_medians_us.size(); ++block) {
      size.block_medians_us[block] *= block % 2 == 0 ? 0.7 : 1.4;
    }
  }
  const auto trial = simple_run({set_of("default", {}, 100000), with});
  const auto advice = advise_in_any_order(sweep(2, 1), trial);
  EXPECT_EQ(advice_named(advice, "NCCL_SOCKET_NTHREADS").state, AdviceState::kPredicted);
  EXPECT_EQ(advice_named(advice, "NCCL_NSOCKS_PERTHREAD").state, AdviceState::kPredicted);
  EXPECT_THAT(advice_named(advice, "NCCL_SOCKET_NTHREADS").reason, HasSubstr("inconclusive"));
}

TEST(Trial, DropsBothOfAPairThatWasMeasuredTogether) {
  const auto trial = simple_run(
      {set_of("default", {}, 100000), set_of("x.env", {{"NCCL_SOCKET_NTHREADS", "2"}}, 130000)});
  const auto advice = advise_in_any_order(sweep(2, 1), trial);
  EXPECT_EQ(advice_named(advice, "NCCL_SOCKET_NTHREADS").state, AdviceState::kDropped);
  EXPECT_EQ(advice_named(advice, "NCCL_NSOCKS_PERTHREAD").state, AdviceState::kDropped);
}

TEST(Trial, LeavesNoLineThatSaysNotMeasured) {
  const auto advice = advise({set_of("default", {}, 100000), set_of("x.env", kGood, 130000)});
  const auto lines = std::count_if(advice.begin(), advice.end(), [](const auto& one) {
    return one.name == "NCCL_SOCKET_NTHREADS";
  });
  EXPECT_EQ(lines, 1);
}

TEST(Trial, TellsTheHarmfulFromTheHelpfulVariableOfOneFile) {
  const auto advice = advise({set_of("default", {}, 100000), set_of("x.env", kBoth, 104000),
                              set_of("x.env-NCCL_SOCKET_NTHREADS", kBad, 130000),
                              set_of("x.env-NCCL_SOCKET_SNDBUF", kGood, 80000)});
  EXPECT_EQ(advice_named(advice, "NCCL_SOCKET_NTHREADS").state, AdviceState::kConfirmed);
  EXPECT_EQ(advice_named(advice, "NCCL_SOCKET_SNDBUF").state, AdviceState::kDropped);
}

TEST(Trial, DropsAVariableThatAddsNothingToItsSet) {
  const auto advice = advise({set_of("default", {}, 100000), set_of("x.env", kBoth, 80000),
                              set_of("x.env-NCCL_SOCKET_NTHREADS", kBad, 100000),
                              set_of("x.env-NCCL_SOCKET_SNDBUF", kGood, 80000)});
  EXPECT_EQ(advice_named(advice, "NCCL_SOCKET_NTHREADS").state, AdviceState::kConfirmed);
  EXPECT_EQ(advice_named(advice, "NCCL_SOCKET_SNDBUF").state, AdviceState::kDropped);
}

std::vector<model::Advice> advise_required(double us, const std::string& usual = "eth0,eth1") {
  const std::vector<std::string> names{"eth0", "eth1"};
  auto base = set_of("default", {}, 100000);
  base.interface = usual;
  const std::vector<InputRun> runs{
      run_of({host_of("node1", 1, names), host_of("node2", 2, names)}, {{"eth0"}, {"eth0"}},
             {base, set_of("x.env", {{"NCCL_SOCKET_IFNAME", "=eth0"}}, us)})};
  return recommend(runs).advice;
}

TEST(Trial, KeepsWhatCorrectnessRequiresUnlessItLoses) {
  EXPECT_EQ(advice_named(advise_required(100000), "NCCL_SOCKET_IFNAME").state,
            AdviceState::kRequired);
  const auto lost = advice_named(advise_required(150000), "NCCL_SOCKET_IFNAME");
  EXPECT_EQ(lost.state, AdviceState::kDropped);
  EXPECT_LT(*lost.factor_high, 1);
}

TEST(Trial, SaysNothingOfAnInterfaceThatTheDefaultUsesToo) {
  const auto advice = advice_named(advise_required(150000, "eth0"), "NCCL_SOCKET_IFNAME");
  EXPECT_EQ(advice.state, AdviceState::kRequired);
  EXPECT_FALSE(advice.factor);
}

TEST(Trial, BlamesAFailedSetOnlyOnVariablesThatNoWorkingSetHolds) {
  auto failed = set_of("x.env", kBoth, 100000);
  failed.status = model::Status::kFailed;
  failed.reason = "rank 1 stopped";
  auto failed_part = failed;
  failed_part.settings_name = "x.env-NCCL_SOCKET_NTHREADS";
  failed_part.settings = kBad;
  auto run = simple_run({set_of("default", {}, 100000), failed, failed_part,
                         set_of("x.env-NCCL_SOCKET_SNDBUF", kGood, 80000)});
  run.record.complete = false;
  const std::vector<InputRun> runs{run};
  const auto verdicts = judge_trial(gather(runs));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].name, "NCCL_SOCKET_SNDBUF");
  EXPECT_EQ(verdicts[0].outcome, Outcome::kLoss);
  EXPECT_THAT(verdicts[0].reason, HasSubstr("x.env failed: rank 1 stopped"));
}

TEST(Trial, GivesNoVerdictOnWhatTheRingDoesNotActOn) {
  const std::map<std::string, std::string> algorithm{{"NCCL_ALGO", "Tree"}};
  const std::map<std::string, std::string> mixed{{"NCCL_ALGO", "Tree"},
                                                 {"NCCL_SOCKET_NTHREADS", "4"}};
  for (const double us : {80000.0, 100000.0, 130000.0}) {
    const auto advice = advise({set_of("default", {}, 100000), set_of("x.env", algorithm, us)});
    EXPECT_TRUE(std::none_of(advice.begin(), advice.end(),
                             [](const auto& one) { return one.name == "NCCL_ALGO"; }));
  }
  const std::vector<InputRun> runs{
      simple_run({set_of("default", {}, 100000), set_of("x.env", mixed, 80000),
                  set_of("x.env-NCCL_SOCKET_NTHREADS", algorithm, 100000),
                  set_of("x.env-NCCL_ALGO", {{"NCCL_SOCKET_NTHREADS", "4"}}, 80000)})};
  const auto verdicts = judge_trial(gather(runs));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].name, "NCCL_SOCKET_NTHREADS");
  EXPECT_EQ(verdicts[0].outcome, Outcome::kGain);
}

TEST(Trial, BlamesNoFailureOnWhatTheRingDoesNotActOn) {
  auto failed = set_of("x.env", {{"NCCL_ALGO", "Tree"}}, 100000);
  failed.status = model::Status::kFailed;
  const std::vector<InputRun> runs{simple_run({set_of("default", {}, 100000), failed})};
  EXPECT_TRUE(judge_trial(gather(runs)).empty());
}

TEST(Trial, SaysOfASettingThatItCannotJudgeThatItWasNotTried) {
  model::Advice disable;
  disable.state = AdviceState::kRequired;
  disable.name = "NCCL_IB_DISABLE";
  disable.value = "1";
  disable.where = "env";
  disable.reason = "no port is up";
  std::vector<model::Advice> advices{disable};
  const std::vector<InputRun> without{simple_run({wire({.us = 100000})})};
  note_untried(gather(without), advices);
  EXPECT_EQ(advices[0].reason, "no port is up");
  const std::vector<InputRun> with{
      simple_run({set_of("default", {}, 100000), set_of("x.env", kGood, 80000)})};
  note_untried(gather(with), advices);
  EXPECT_EQ(advices[0].state, AdviceState::kRequired);
  EXPECT_EQ(advices[0].reason, "no port is up; not tried: tcp-allreduce does not act on it");
}

TEST(Trial, JudgesASetOfManyVariablesAsAWhole) {
  std::map<std::string, std::string> many;
  for (const char* name : {"NCCL_SOCKET_NTHREADS", "NCCL_NSOCKS_PERTHREAD", "NCCL_MIN_NCHANNELS",
                           "NCCL_SOCKET_SNDBUF", "NCCL_SOCKET_RCVBUF"}) {
    many[name] = "1";
  }
  const auto advice = advise({set_of("default", {}, 100000), set_of("x.env", many, 80000)});
  EXPECT_EQ(advice_named(advice, "NCCL_MIN_NCHANNELS").state, AdviceState::kConfirmed);
  EXPECT_THAT(advice_named(advice, "NCCL_MIN_NCHANNELS").reason, HasSubstr("tried together only"));
}

}  // namespace
}  // namespace ringwise::recommend::test
