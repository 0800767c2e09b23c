// The rule about ranks that were lost in the run, and who may not be called so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "runs.h"

namespace ringwise::diagnose {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

model::Problem problem_of(const char* sign, int rank, const char* host, const char* text) {
  model::Problem problem;
  problem.stage = "tcp-allreduce";
  problem.sign = sign;
  problem.rank = rank;
  problem.host = host;
  problem.text = text;
  return problem;
}

TEST(DiagnoseRankLost, NamesTheOneThatEndedAndNotThoseThatWaited) {
  auto record = healthy();
  record.complete = false;
  record.problems = {
      problem_of("worker-ended", 1, "node2", "the worker ended early: signal 9 (Killed)"),
      problem_of("closed", 0, "node1", "connection to rank 1 (node2) over eth0 closed by the peer"),
      problem_of("silent", 2, "node3", "rank 1 (node2) over eth0 sends nothing")};
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "rank-lost");
  EXPECT_EQ(finding.severity, model::Severity::kError);
  EXPECT_EQ(finding.title, "rank 1 (node2) was lost in tcp-allreduce");
  ASSERT_EQ(finding.evidence.size(), 1U);
  EXPECT_THAT(finding.evidence.front().text, HasSubstr("problems[0]: tcp-allreduce, the worker"));
  EXPECT_EQ(finding.settings.at(0).name, "node2");
}

TEST(DiagnoseRankLost, SaysOfASilentSupervisorThatItMayBeCutOff) {
  auto record = healthy();
  record.complete = false;
  record.problems = {problem_of("rank-lost", 2, "node3", "its supervisor stays silent")};
  const auto finding = only(record);
  EXPECT_EQ(finding.title, "rank 2 (node3) was lost in tcp-allreduce");
  EXPECT_THAT(finding.why, HasSubstr("or the control interface does not reach it"));
  EXPECT_LT(finding.confidence, 0.7);
}

TEST(DiagnoseRankLost, IsTheConsequenceOfALinkThatIsDown) {
  auto record = healthy();
  record.complete = false;
  record.problems = {problem_of("link-down", 1, "node2", "eth0 has no carrier on this host"),
                     problem_of("rank-lost", 1, "node2", "its supervisor stays silent")};
  EXPECT_THAT(causes(record), ElementsAre("path-blackhole"));
}

TEST(DiagnoseRankLost, NamesEachRankOnceAndAnyRankThatTheRecordLeavesOut) {
  auto record = healthy();
  record.complete = false;
  auto nameless = problem_of("worker-ended", 0, "", "the worker ended early");
  nameless.rank.reset();
  nameless.host.reset();
  record.problems = {problem_of("worker-ended", 1, "node2", "the worker ended early"),
                     problem_of("worker-ended", 1, "node2", "the worker ended early"), nameless};
  const auto found = diagnosed(record).findings;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].title, "several ranks were lost in tcp-allreduce");
  EXPECT_EQ(found[1].evidence.size(), 2U);
}

}  // namespace
}  // namespace ringwise::diagnose
