// A supervisor's side of a stage, with this program itself as its scripted worker.
#include "app/probe/local_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

#include "app/probe/stage_words.h"
#include "model/json.h"

namespace ringwise::app {
namespace {

using testing::HasSubstr;

constexpr const char* kScript = "RINGWISE_TEST_WORKER";

/// What a worker does, by the name that its environment gives.
int run_script(int fd) {
  const std::string script = std::getenv(kScript) == nullptr ? "" : std::getenv(kScript);
  comm::FrameChannel channel(fd);
  const auto soon = base::Deadline::after(std::chrono::seconds(10));
  (void)channel.receive(soon);
  channel.send(comm::FrameType::kStep, "a step", soon);
  if (script == "stop") ::raise(SIGSTOP);
  if (script == "die") return 7;
  channel.send(comm::FrameType::kGather, "mine", soon);
  // The answer is not waited for: as when the stage's time ends first.
  channel.send(comm::FrameType::kReport, model::to_json_line(model::StageReport{}), soon);
  return 0;
}

struct Watched {
  int reports = 0;
  std::vector<model::Problem> problems;
  StageEvents events{.step = [](std::string_view) {},
                     .progress = [](double, std::string_view) {},
                     .reported = [this](const model::StageReport&) { ++reports; },
                     .failed = [this](const model::Problem& p) { problems.push_back(p); }};
};

probe::StageSpec spec_for(const char* script, double timeout_s) {
  probe::StageSpec spec;
  spec.probe = "tcp-pairs";
  spec.hosts = {"here"};
  spec.settings = {{kScript, script}};
  spec.timeout_s = timeout_s;
  return spec;
}

TEST(LocalStage, AReportCountsThoughItsWorkerDidNotWaitForTheAnswer) {
  Watched watched;
  const auto spec = spec_for("leave", 20);
  LocalStage local(spec, watched.events, false);
  EXPECT_EQ(local.contribution(), kSaysGather + std::string("mine"));
  // The worker has gone by now, or goes: the answer may find nobody.
  for (int i = 0; i < 3; ++i) local.answer(kAnswersAbort + std::string(1 << 20, 'x'));
  EXPECT_EQ(local.contribution().front(), kSaysReport);
  EXPECT_EQ(local.contribution().front(), kSaysDelivered);
  EXPECT_EQ(watched.reports, 1);
  EXPECT_THAT(watched.problems, testing::IsEmpty());
}

TEST(LocalStage, AWorkerThatDiesIsAFailureWithItsLastStep) {
  Watched watched;
  const auto spec = spec_for("die", 20);
  LocalStage local(spec, watched.events, false);
  EXPECT_EQ(local.contribution().front(), kSaysFailure);
  ASSERT_EQ(watched.problems.size(), 1U);
  EXPECT_EQ(watched.problems[0].text, "the worker ended early: exit status 7");
  EXPECT_EQ(watched.problems[0].sign, "worker-ended");
  EXPECT_EQ(watched.problems[0].step, "a step");
}

TEST(LocalStage, AStoppedWorkerIsNotWaitedForWhereTheOthersGoOn) {
  Watched watched;
  const auto spec = spec_for("stop", 60);
  LocalStage local(spec, watched.events, true);
  EXPECT_EQ(local.contribution().front(), kSaysFailure);
  EXPECT_FALSE(local.deadline().has_passed());
  EXPECT_THAT(watched.problems.at(0).text, HasSubstr("was stopped by a signal"));
}

TEST(LocalStage, AStoppedWorkerIsNamedAtTheTimeOut) {
  Watched watched;
  const auto spec = spec_for("stop", 3);
  LocalStage local(spec, watched.events, false);
  EXPECT_EQ(local.contribution().front(), kSaysFailure);
  EXPECT_THAT(watched.problems.at(0).text,
              testing::AllOf(HasSubstr("was stopped by a signal"), HasSubstr("time-out of 3 s")));
  EXPECT_EQ(watched.problems.at(0).sign, "worker-ended");
}

}  // namespace

/// For main(), which is this file's too.
int run_test_worker(int fd) {
  return run_script(fd);
}

}  // namespace ringwise::app

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == ringwise::app::kWorkerOption) {
    return ringwise::app::run_test_worker(std::atoi(argv[2]));
  }
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
