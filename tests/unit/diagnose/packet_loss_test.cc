// The rule about lost packets: whom it names, and what it leaves open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "runs.h"

namespace ringwise::diagnose {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(DiagnosePacketLoss, NamesTheHostThatLosesPackets) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.retransmits = 3000; });
  // A stage that the loss brought to its end does not make the path dead.
  model::Problem problem;
  problem.sign = "unacknowledged";
  problem.host = "node2";
  problem.peer_host = "node1";
  record.problems.push_back(problem);
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "packet-loss");
  EXPECT_THAT(finding.title, HasSubstr("node2 loses packets on eth0: 2.2 %"));
  EXPECT_EQ(finding.evidence.size(), 4U);
}

TEST(DiagnosePacketLoss, BlamesNoHostForLossThatAllHave) {
  auto record = healthy();
  for (auto& pair : record.results[1].pairs) pair.retransmits = 3000;
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "packet-loss");
  EXPECT_THAT(finding.title, HasSubstr("between node1, node2, node3: 2.2 %"));
  EXPECT_THAT(finding.why, HasSubstr("or the fabric between them"));
  // Queues that overflow lose that much, too.
  for (auto& pair : record.results[1].pairs) pair.retransmits = 1000;
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(DiagnosePacketLoss, NamesTwoHostsOfThreeThatLosePackets) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.retransmits = 3000; });
  change_pairs(record, 2, [](auto& pair) { *pair.retransmits += 3000; });
  EXPECT_THAT(only(record).title, HasSubstr("packets are lost on eth0"));
}

TEST(DiagnosePacketLoss, TakesNoLongWayForLoss) {
  auto record = healthy();
  for (auto& pair : record.results[1].pairs) {
    pair.retransmits = 3000;
    pair.latency_us_p50 = 25'000;
    pair.latency_us_p99 = 26'000;
  }
  EXPECT_THAT(causes(record), IsEmpty());
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("a queue overflows")));
}

TEST(DiagnosePacketLoss, NamesNoHostForPairsThatDidNotWork) {
  auto record = healthy();
  for (auto& pair : record.results[1].pairs) {
    pair.retransmits = 3000;
    pair.status = model::Status::kFailed;
  }
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(DiagnosePacketLoss, IsToldOfTheInterfaceThatHasIt) {
  auto record = healthy();
  record.results.push_back(pairs());
  record.results[2].interface = "net1";
  change_pairs(record, 1, [](auto& pair) { pair.retransmits = 3000; });
  EXPECT_THAT(only(record).title, HasSubstr("node2 loses packets on eth0"));
}

TEST(DiagnosePacketLoss, TakesNoOverflowingQueueForLoss) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) {
    pair.retransmits = 5000;  // of about 138,000 segments
    pair.latency_us_p99 = 60;
  });
  EXPECT_THAT(causes(record), IsEmpty());
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("a queue overflows")));
  // A pair that shows less of it does not turn it into loss.
  record.results[1].pairs[2].retransmits = 1300;
  EXPECT_THAT(causes(record), IsEmpty());
  // What is lost at random takes small messages with it.
  change_pairs(record, 1, [](auto& pair) { pair.latency_us_p99 = 100'000; });
  EXPECT_THAT(causes(record), ElementsAre("packet-loss"));
}

TEST(DiagnosePacketLoss, LeavesOpenWhichOfTwoHostsLosesPackets) {
  auto record = healthy();
  record.hosts.pop_back();
  record.ranks.pop_back();
  std::erase_if(record.results[1].pairs,
                [](const auto& pair) { return pair.src == 2 || pair.dst == 2; });
  for (auto& pair : record.results[1].pairs) pair.retransmits = 3000;
  const auto finding = only(record);
  EXPECT_THAT(finding.title, HasSubstr("between node1, node2: 2.2 %"));
  EXPECT_THAT(finding.why, HasSubstr("a third host does"));
  // As little as queues lose is no finding, but not passed over either.
  for (auto& pair : record.results[1].pairs) pair.retransmits = 1000;
  EXPECT_THAT(causes(record), IsEmpty());
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("between node1, node2")));
}

}  // namespace
}  // namespace ringwise::diagnose
