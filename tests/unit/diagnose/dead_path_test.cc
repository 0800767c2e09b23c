// The rule about paths that answer nothing, and what it may not call so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "runs.h"

namespace ringwise::diagnose {
namespace {

using model::RunRecord;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Nothing was ever seen to pass between these ranks.
void kill_pairs(RunRecord& record, int a, int b) {
  for (auto& pair : record.results[1].pairs) {
    if (std::pair(std::min(pair.src, pair.dst), std::max(pair.src, pair.dst)) != std::pair(a, b)) {
      continue;
    }
    pair.status = model::Status::kFailed;
    pair.gbit_per_s.reset();
    pair.path.reset();
  }
}

model::Problem unanswered(const char* host, const char* peer) {
  model::Problem problem;
  problem.sign = "unacknowledged";
  problem.host = host;
  problem.peer_host = peer;
  problem.interface = "eth0";
  problem.text = "nothing is acknowledged";
  return problem;
}

TEST(DiagnoseDeadPath, SeesADeadPath) {
  auto record = healthy();
  kill_pairs(record, 1, 2);
  record.problems = {unanswered("node2", "node3"), unanswered("node3", "node2")};
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "path-blackhole");
  EXPECT_EQ(finding.title,
            "traffic between node2 and node3 on eth0 stays unanswered, after some got through");
  EXPECT_THAT(finding.why, HasSubstr("while other pairs work"));
  EXPECT_EQ(finding.evidence.size(), 2U);
}

/// A stage that ended because node2 did not acknowledge what it was sent over a connection.
model::Problem unacknowledged() {
  model::Problem problem;
  problem.sign = "unacknowledged";
  problem.host = "node2";
  problem.peer_host = "node3";
  problem.interface = "eth0";
  return problem;
}

TEST(DiagnoseDeadPath, DoesNotCallAPathDeadThatLosesLargePackets) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) {
    pair.path->forward_mtu = 1400;
    pair.status = model::Status::kFailed;
    pair.gbit_per_s.reset();
  });
  record.problems = {unacknowledged()};
  EXPECT_THAT(causes(record), ElementsAre("mtu-mismatch"));
}

TEST(DiagnoseDeadPath, DoesNotGuessWhyAConnectionStalledWhereNoPairWasTried) {
  auto record = healthy();
  record.results.pop_back();
  record.problems = {unacknowledged()};
  const auto diagnosis = diagnosed(record);
  EXPECT_THAT(diagnosis.findings, IsEmpty());
  EXPECT_THAT(diagnosis.unknown,
              ElementsAre(HasSubstr("no pair was probed"), HasSubstr("node2 and node3")));
  // Without even a connection it is clear.
  record.problems[0].sign = "no-connection";
  EXPECT_THAT(causes(record), ElementsAre("path-blackhole"));
}

TEST(DiagnoseDeadPath, SaysOfAPathWithoutConnectionNoMoreThanThat) {
  auto record = healthy();
  kill_pairs(record, 1, 2);
  record.problems = {unanswered("node2", "node3")};
  record.problems[0].sign = "no-connection";
  EXPECT_EQ(only(record).title, "no connection comes about between node2 and node3 on eth0");
}

TEST(DiagnoseDeadPath, SaysNotThatNothingPassedWhereSomethingDid) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.status = model::Status::kFailed; });
  record.problems = {unanswered("node2", "node3")};
  const auto finding = only(record);
  EXPECT_EQ(finding.title,
            "traffic between node2 and node3 on eth0 stays unanswered, after some got through");
}

TEST(DiagnoseDeadPath, TheHostThatAllDeadPathsShareIsCutOff) {
  auto record = healthy();
  kill_pairs(record, 0, 1);
  kill_pairs(record, 1, 2);
  record.problems = {unanswered("node1", "node2"), unanswered("node3", "node2")};
  EXPECT_EQ(only(record).title, "eth0 of node2 is cut off");
  // Without a pair that works it does not say so of others.
  kill_pairs(record, 0, 2);
  EXPECT_THAT(only(record).why, testing::Not(HasSubstr("other pairs work")));
}

TEST(DiagnoseDeadPath, AnInterfaceThatIsDownIsTheCauseOfWhatItsNeighboursSee) {
  auto record = healthy();
  kill_pairs(record, 0, 1);
  auto down = unanswered("node2", "node1");
  down.sign = "link-down";
  down.peer_host.reset();
  down.text = "eth0 is down on this host; rank 0 sends nothing";
  record.problems = {down, unanswered("node1", "node2")};
  const auto finding = only(record);
  EXPECT_EQ(finding.title, "eth0 of node2 is cut off: eth0 is down");
  EXPECT_EQ(finding.evidence.size(), 1U);
}

TEST(DiagnoseDeadPath, DoesNotCallASlowPathDead) {
  auto record = healthy();
  kill_pairs(record, 1, 2);
  auto slow = unanswered("node2", "node3");
  slow.sign = "slow";
  record.problems = {slow};
  const auto diagnosis = diagnosed(record);
  EXPECT_THAT(diagnosis.findings, IsEmpty());
  EXPECT_THAT(diagnosis.unknown, ElementsAre(HasSubstr("too slowly")));
}

TEST(DiagnoseDeadPath, WithoutPairsAnUnansweredRingIsNotDecided) {
  auto record = healthy();
  record.results.pop_back();
  record.problems = {unanswered("node2", "node3")};
  const auto diagnosis = diagnosed(record);
  EXPECT_THAT(diagnosis.findings, IsEmpty());
  EXPECT_THAT(diagnosis.unknown, testing::Contains(HasSubstr("node2 and node3 were connected")));
}

}  // namespace
}  // namespace ringwise::diagnose
