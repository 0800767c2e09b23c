// Which runs stand beside each other, which is the baseline, and which are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_builder.h"

namespace ringwise::compare {
namespace {

using model::RunRecord;
using test::compared;
using test::record;
using test::refusal;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> names(const model::Comparison& comparison) {
  std::vector<std::string> all;
  all.reserve(comparison.runs.size());
  for (const auto& run : comparison.runs) all.push_back(run.name);
  return all;
}

const RunRecord kHost = record({.mode = "host"});
const RunRecord kOverlay = record({.mode = "overlay"});

TEST(Baseline, IsTheHostWhereverItStands) {
  EXPECT_THAT(names(compared({kOverlay, kHost})), ElementsAre("host", "overlay"));
}

TEST(Baseline, IsTheFirstWithoutOne) {
  EXPECT_THAT(names(compared({kOverlay, record({.mode = "multus"})})),
              ElementsAre("overlay", "multus"));
}

TEST(Baseline, IsTheOneThatIsNamed) {
  const std::vector<RunRecord> runs{kHost, kOverlay};
  EXPECT_EQ(compared(runs, {.baseline = "overlay"}).baseline, "overlay");
  EXPECT_EQ(compared(runs, {.baseline = "b.json"}).baseline, "overlay");
  EXPECT_THAT(refusal(runs, {.baseline = "bare"}), AllOf(HasSubstr("bare"), HasSubstr("overlay")));
}

TEST(Columns, OfTheSameModeAreToldApartBySource) {
  EXPECT_THAT(names(compared({kHost, kHost})), ElementsAre("host (a.json)", "host (b.json)"));
}

TEST(Columns, AreTheInterfacesThatOneRunMeasuredInTurn) {
  auto run = record({.interface = "eth0"});
  for (const auto& result : record({.interface = "net1", .us_per_mib = 800}).results) {
    run.results.push_back(result);
  }
  const auto comparison = compared({run});
  EXPECT_THAT(names(comparison), ElementsAre("eth0", "net1"));
  EXPECT_TRUE(comparison.is_interleaved);
  EXPECT_NEAR(*test::cell(comparison, 4 << 20, 1).ratio, 1.25, 0.001);
}

TEST(Columns, NeedTwo) {
  EXPECT_THAT(refusal({kHost}), HasSubstr("--each-interface"));
}

TEST(Comparable, AreRunsOfTheSameNodesUnderOtherNames) {
  auto pods = record({.mode = "overlay", .nodes = {"pod-a", "pod-b", "pod-c"}});
  for (std::size_t i = 0; i < pods.hosts.size(); ++i) {
    pods.hosts[i].node = "node" + std::to_string(i + 1);
  }
  EXPECT_THAT(compared({kHost, pods}).runs[1].differences, IsEmpty());
}

TEST(Comparable, AreRunsOfTheSameBoots) {
  auto bare = kHost;
  auto pods = record({.mode = "overlay", .nodes = {"pod-a", "pod-b", "pod-c"}});
  for (std::size_t i = 0; i < 3; ++i) {
    bare.hosts[i].boot_id = "boot" + std::to_string(i);
    pods.hosts[2 - i].boot_id = "boot" + std::to_string(i);
  }
  EXPECT_THAT(compared({bare, pods}).runs[1].differences, IsEmpty());
  pods.hosts[0].boot_id = "another";
  EXPECT_THAT(refusal({bare, pods}), HasSubstr("pod-a, pod-b, pod-c instead of node1"));
}

struct Difference {
  const char* name;
  void (*change)(RunRecord&);
  const char* reason;
};

class NotComparable : public testing::TestWithParam<Difference> {};

TEST_P(NotComparable, IsRefusedWithTheReasonAndMarkedWhenForced) {
  auto other = kOverlay;
  GetParam().change(other);
  EXPECT_THAT(refusal({kHost, other}),
              AllOf(HasSubstr("overlay"), HasSubstr("--force"), HasSubstr(GetParam().reason)));
  const auto forced = compared({kHost, other}, {.baseline = {}, .is_forced = true});
  EXPECT_THAT(forced.runs[1].differences, testing::Contains(HasSubstr(GetParam().reason)));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, NotComparable,
    testing::Values(
        Difference{"nodes", [](RunRecord& run) { run.hosts[1].host = "node9"; }, "other nodes"},
        Difference{"ranks", [](RunRecord& run) { run.launch.ranks = 6; }, "6 ranks instead of 3"},
        Difference{"ranks_per_node",
                   [](RunRecord& run) {
                     run.launch.ranks_per_node = {2, 1, 0};
                   },
                   "ranks on a node"},
        Difference{"version", [](RunRecord& run) { run.tool.version = "2.0.0"; },
                   "version 2.0.0 instead of 1.0.0"},
        Difference{"sizes", [](RunRecord& run) { run.results[0].sizes.pop_back(); },
                   "8 B, 1 MiB instead of 8 B, 1 MiB, 4 MiB"},
        Difference{"incomplete", [](RunRecord& run) { run.complete = false; }, "not complete"},
        Difference{"interface", [](RunRecord& run) { run.results[0].interface.reset(); },
                   "names no interface"},
        Difference{"probe", [](RunRecord& run) { run.results.clear(); },
                   "no probe was run in both"}),
    [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace ringwise::compare
