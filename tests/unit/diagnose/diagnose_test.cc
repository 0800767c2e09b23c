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
