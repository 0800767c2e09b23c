// The rule about streams that each carry a part of the link only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "runs.h"

namespace ringwise::diagnose {
namespace {

using model::RunRecord;
using model::Severity;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// One stream of node2's pairs carries half of what the ring does with two.
RunRecord limited() {
  auto record = healthy();
  record.results[0] = wire(0.0597);
  change_pairs(record, 1, [](auto& pair) {
    pair.gbit_per_s = 0.239;
    pair.high = 0.24;
  });
  return record;
}

TEST(DiagnoseFlowLimit, SeesNoFlowLimitWherePairsShareALink) {
  auto record = limited();
  EXPECT_THAT(causes(record), ElementsAre("too-few-streams"));
  for (auto& pair : record.results[1].pairs) pair.round = 0;
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(DiagnoseFlowLimit, SeesALimitOfEachFlow) {
  const auto record = limited();
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "too-few-streams");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_THAT(finding.title, AllOf(HasSubstr("0.239 Gbit/s"), HasSubstr("2 carry 0.478")));
  // One setting does not show how many streams are enough: no value is guessed.
  const auto& setting = finding.settings.at(0);
  EXPECT_EQ(setting.name, "NCCL_SOCKET_NTHREADS");
  EXPECT_FALSE(setting.value);
  EXPECT_THAT(setting.measure.value_or(""), HasSubstr("--threads 0,1,2,4 --sockets 1,2,4"));
}

/// A run in which one stream of every pair carries a quarter of the link.
RunRecord capped(const std::vector<model::Result>& sweep) {
  auto record = healthy();
  record.results = sweep;
  record.results.push_back(pairs());
  for (auto& pair : record.results.back().pairs) pair.gbit_per_s = pair.high = 0.239;
  return record;
}

/// Blocks that take the same time but for a few per cent.
model::Result setting(int threads, int sockets, double gbyte_per_s) {
  auto result = wire(gbyte_per_s);
  result.threads = threads;
  result.sockets = sockets;
  for (int block = 0; block < 6; ++block) {
    result.sizes[0].block_medians_us.push_back(4194.304 / gbyte_per_s * (1 + 0.01 * (block % 3)));
  }
  result.sizes[0].verified = true;
  result.sizes[0].time_us_p50 = 4194.304 / gbyte_per_s;
  return result;
}

TEST(DiagnoseFlowLimit, NamesTheSmallestSettingOfASweepThatIsAsGoodAsTheBest) {
  const auto record = capped({setting(0, 0, 0.0597), setting(1, 1, 0.0597), setting(1, 2, 0.1190),
                              setting(2, 1, 0.1190), setting(2, 2, 0.1194), setting(4, 4, 0.1090)});
  auto finding = only(record);
  EXPECT_THAT(finding.title, HasSubstr("4 carry 0.952"));
  EXPECT_EQ(finding.settings.at(0).value, "1");
  EXPECT_EQ(finding.settings.at(1).value, "2");
  EXPECT_FALSE(finding.settings.at(0).measure);
  // Every block is slower by 4 %: then it is not as good.
  finding = only(capped({setting(0, 0, 0.0597), setting(1, 2, 0.1145), setting(2, 2, 0.1194)}));
  EXPECT_EQ(finding.settings.at(0).value, "2");
}

TEST(DiagnoseFlowLimit, JudgesASweepAtTheSizeThatMostSettingsHave) {
  auto sweep = std::vector{setting(0, 0, 0.0597), setting(1, 2, 0.1190), setting(4, 4, 0.1090)};
  auto large = sweep[2].sizes[0];
  large.bytes = 64 << 20;
  large.busbw_gbyte_per_s = 0.1195;
  sweep[2].sizes.push_back(large);
  EXPECT_EQ(only(capped(sweep)).settings.at(0).value, "1");
}

TEST(DiagnoseFlowLimit, ChangesNothingWhereTheDefaultIsAsGoodAsTheBest) {
  const auto record = capped({setting(0, 0, 0.1190), setting(1, 2, 0.1194)});
  const auto finding = only(record);
  EXPECT_EQ(finding.severity, Severity::kInfo);
  EXPECT_FALSE(finding.settings.at(0).value);
  EXPECT_FALSE(finding.settings.at(0).measure);
}

// As recommend has it: a gain below 3 % is no reason to set anything.
TEST(DiagnoseFlowLimit, ChangesNothingForAGainThatIsNotWorthASetting) {
  const auto finding = only(capped({setting(0, 0, 0.1170), setting(1, 2, 0.1194)}));
  EXPECT_EQ(finding.severity, Severity::kInfo);
  EXPECT_FALSE(finding.settings.at(0).value);
}

TEST(DiagnoseFlowLimit, AsksForASweepWhereTheDefaultWasNotMeasured) {
  const auto finding = only(capped({setting(1, 1, 0.0597), setting(1, 2, 0.1194)}));
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_FALSE(finding.settings.at(0).value);
  EXPECT_TRUE(finding.settings.at(0).measure);
}

TEST(DiagnoseFlowLimit, IsSeenByASweepWithoutPairs) {
  auto record = capped({setting(0, 0, 0.0597), setting(1, 2, 0.1190)});
  record.results.pop_back();
  const auto finding = only(record);
  EXPECT_EQ(finding.title,
            "2 TCP streams a direction, as NCCL uses by itself, carry 0.478 Gbit/s over eth0, 4 "
            "carry 0.952");
  EXPECT_EQ(finding.settings.at(1).value, "2");
}

TEST(DiagnoseFlowLimit, IsSeenAt1MiBWhereNothingLargerWasMeasured) {
  auto record = healthy();
  record.results[0] = wire(0.0597);
  record.results[0].sizes[0].bytes = 1 << 20;
  for (auto& pair : record.results[1].pairs) pair.gbit_per_s = pair.high = 0.239;
  EXPECT_THAT(causes(record), testing::ElementsAre("too-few-streams"));
  record.results[0].sizes[0].bytes = 1 << 19;
  EXPECT_THAT(causes(record), testing::IsEmpty());
  EXPECT_THAT(diagnosed(record).unknown, testing::ElementsAre(HasSubstr("no all-reduce of 1 MiB")));
}

TEST(DiagnoseFlowLimit, SaysThatTheNicsHaveDifferentDefaults) {
  auto record = capped({setting(0, 0, 0.0597), setting(1, 2, 0.1190)});
  record.hosts[0].interfaces[0].pci_vendor = "0x1d0f";
  const auto finding = only(record);
  EXPECT_FALSE(finding.settings.at(0).value);
  EXPECT_THAT(finding.why, HasSubstr("different defaults"));
}

TEST(DiagnoseFlowLimit, ComparesAStreamWithTheRingOfItsInterfaceOnly) {
  auto record = healthy();
  record.results[1].interface = "net1";
  change_pairs(record, 1, [](auto& pair) { pair.gbit_per_s = pair.high = 0.239; });
  EXPECT_THAT(causes(record), IsEmpty());
}

}  // namespace
}  // namespace ringwise::diagnose
