// Tests of finding and asking NCCL, with libraries that misbehave.
#include "system/nccl_library.h"

#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string fake(const std::string& kind) {
  return RINGWISE_FAKE_NCCL + kind + ".so";
}

NcclAnswer ask(const std::string& kind) {
  return ask_nccl(fake(kind), std::chrono::minutes(1));
}

TEST(NcclVersionText, KnowsBothEncodings) {
  EXPECT_EQ(nccl_version_text(22809), "2.28.9");
  EXPECT_EQ(nccl_version_text(20900), "2.9.0");
  EXPECT_EQ(nccl_version_text(2708), "2.7.8");
  EXPECT_FALSE(nccl_version_text(0));
  EXPECT_FALSE(nccl_version_text(-5));
  EXPECT_FALSE(nccl_version_text(123456789));
}

TEST(AskNccl, TellsVersionAndFullPath) {
  const auto answer = ask("good");
  EXPECT_EQ(answer.version, "2.28.9");
  EXPECT_EQ(answer.path, fake("good"));
  EXPECT_EQ(answer.reason, "");
}

TEST(AskNccl, IsNotConfusedByWhatTheLibraryPrints) {
  const auto answer = ask("old");
  EXPECT_EQ(answer.version, "2.7.8");
  EXPECT_EQ(answer.path, fake("old"));
}

TEST(AskNccl, SurvivesACrash) {
  const auto answer = ask("crashing");
  EXPECT_FALSE(answer.version);
  EXPECT_EQ(answer.path, fake("crashing"));
  EXPECT_THAT(answer.reason, HasSubstr("ended with"));
}

TEST(AskNccl, GivesUpOnALibraryThatHangs) {
  const auto answer = ask_nccl(fake("hanging"), std::chrono::milliseconds(300));
  EXPECT_FALSE(answer.version);
  EXPECT_EQ(answer.reason, "it did not answer in time");
}

TEST(AskNccl, ReportsAFailedCallAndAMissingFunction) {
  EXPECT_THAT(ask("failing").reason, HasSubstr("ncclResult_t 4"));
  EXPECT_THAT(ask("nameless").reason, HasSubstr("ncclGetVersion"));
}

TEST(FindNccl, TakesOnlyTheGivenPath) {
  NcclSearch search;
  search.path = fake("good");
  const auto found = find_nccl(SysRoot{}, search);
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.version, "2.28.9");
  search.path = "/no/such/libnccl.so";
  const auto missing = find_nccl(SysRoot{}, search);
  EXPECT_FALSE(missing.found);
  EXPECT_THAT(missing.reason.value_or(""), HasSubstr("/no/such/libnccl.so"));
}

TEST(FindNccl, LoadsNothingForAFixture) {
  const auto library = find_nccl(fixture("roce-host"), {});
  EXPECT_FALSE(library.found);
  EXPECT_TRUE(library.reason);
}

TEST(FindNccl, SaysWhyWhenTheLoaderFindsNone) {
  const auto library = find_nccl(SysRoot{}, {});
  EXPECT_TRUE(library.found || library.reason);
}

TEST(FindNccl, AsksTheRealLibrary) {
  const auto places = well_known_nccl(SysRoot{});
  if (places.empty()) GTEST_SKIP() << "no libnccl.so.2 at the places where packages put it";
  const auto answer = ask_nccl(places.front(), std::chrono::minutes(1));
  EXPECT_EQ(answer.reason, "");
  EXPECT_THAT(answer.version.value_or(""), MatchesRegex("2\\.[0-9]+\\.[0-9]+"));
}

TEST(WellKnownNccl, LooksInToolkitsAndDistributionFolders) {
  const TemporaryRoot machine;
  machine.write("/usr/local/cuda-12.4/targets/x86_64-linux/lib/libnccl.so.2", "");
  machine.write("/usr/lib/x86_64-linux-gnu/libnccl.so.2", "");
  EXPECT_THAT(well_known_nccl(machine.root()),
              ElementsAre(EndsWith("targets/x86_64-linux/lib/libnccl.so.2"),
                          "/usr/lib/x86_64-linux-gnu/libnccl.so.2"));
}

}  // namespace
}  // namespace ringwise::system
