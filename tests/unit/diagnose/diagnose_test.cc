// All rules over one run record: what is said where nothing is wrong or nothing is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "knowledge/causes.h"
#include "runs.h"

namespace ringwise::diagnose {
namespace {

using model::Severity;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Diagnose, FindsNothingInAHealthyRun) {
  const auto diagnosis = diagnosed(healthy());
  EXPECT_THAT(diagnosis.findings, IsEmpty());
  EXPECT_THAT(diagnosis.unknown, IsEmpty());
}

TEST(Diagnose, SaysThatARunIsNotComplete) {
  auto record = healthy();
  record.complete = false;
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("not complete")));
}

TEST(Diagnose, SaysWhatIsNotDecidedWithoutPairs) {
  auto record = healthy();
  record.results.pop_back();
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("--probes tcp-pairs")));
}

TEST(Diagnose, SaysThatNothingWasMeasured) {
  auto record = healthy();
  record.results.resize(1);
  record.results[0].sizes[0].busbw_gbyte_per_s.reset();
  EXPECT_FALSE(has_measurements(record));
  EXPECT_THAT(diagnosed(record).unknown, testing::Contains("run.json: nothing was measured"));
  record = healthy();
  EXPECT_TRUE(has_measurements(record));
  EXPECT_THAT(diagnosed(record).unknown, IsEmpty());
  for (auto& result : record.results) result.transport = "memory";
  EXPECT_THAT(diagnosed(record).unknown,
              testing::Contains("run.json: no traffic between hosts was measured"));
}

TEST(Diagnose, SeesWrongDataAndWhereItWasChanged) {
  auto record = healthy();
  record.results[0].sizes[0].wrong = 3;
  EXPECT_EQ(only(record).cause, "wrong-data");
  model::Problem problem;
  problem.stage = "tcp-allreduce";
  problem.rank = 2;
  problem.host = "node3";
  problem.peer = 1;
  problem.peer_host = "node2";
  problem.interface = "eth0";
  problem.sign = "wrong-data";
  problem.text = "3 wrong elements";
  record.problems = {problem};
  const auto finding = only(record);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.title,
            "data is changed on rank 1 (node2) or on the way from it to rank 2 (node3) on eth0");
  EXPECT_EQ(finding.evidence.size(), 2U);
}

TEST(Diagnose, SaysWhatARunBrokeOffBy) {
  auto record = healthy();
  record.complete = false;
  model::Problem problem;
  problem.stage = "tcp-pairs";
  problem.rank = 1;
  problem.host = "node2";
  problem.sign = "silent";
  problem.text = "its supervisor stays silent";
  record.problems = {problem};
  EXPECT_THAT(diagnosed(record).unknown,
              ElementsAre(HasSubstr("tcp-pairs, rank 1 (node2): its supervisor stays silent")));
  record.problems[0].rank.reset();
  EXPECT_THAT(diagnosed(record).unknown,
              ElementsAre(HasSubstr("tcp-pairs, a rank (node2): its supervisor stays silent")));
}

TEST(Diagnose, PassesOverNoSlowPairThatNothingExplains) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.gbit_per_s = pair.high = 0.5; });
  record.results[0] = wire(0.06);
  EXPECT_THAT(causes(record), IsEmpty());
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("down to 0.5 Gbit/s")));
  // A label slows nothing down.
  record.mode.label = "overlay";
  record.mode.detected = "host";
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("down to 0.5 Gbit/s")));
  // What was found may be why.
  record.hosts[1].interfaces[0].offloads->tso = false;
  EXPECT_THAT(diagnosed(record).unknown, IsEmpty());
}

TEST(Diagnose, NamesCausesThatAreKnown) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.retransmits = 3000; });
  record.hosts[1].interfaces[0].offloads->tso = false;
  record.mode.label = "overlay";
  record.mode.detected = "host";
  const auto diagnosis = diagnosed(record);
  EXPECT_EQ(diagnosis.findings.size(), 3U);
  EXPECT_EQ(diagnosis.findings.front().severity, Severity::kError);
  const auto known = knowledge::Causes::load();
  for (const auto& finding : diagnosis.findings) {
    EXPECT_NE(known.find(finding.cause), nullptr) << finding.cause;
    EXPECT_FALSE(finding.rule.empty());
  }
}

}  // namespace
}  // namespace ringwise::diagnose
