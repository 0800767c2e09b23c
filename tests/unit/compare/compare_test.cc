// Ratios, what may be called a difference, the path and the sentences.
#include "compare/compare.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_builder.h"

namespace ringwise::compare {
namespace {

using model::Against;
using test::cell;
using test::compared;
using test::fact_text;
using test::record;
using test::Run;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kLarge = 4 << 20;

/// A host run and one that takes `factor` as long.
model::Comparison against_host(double factor, const Run& other = {.mode = "overlay"}) {
  auto slower = other;
  slower.us_per_mib = 1000 * factor;
  return compared({record({.mode = "host"}), record(slower)});
}

TEST(Ratio, IsOfBandwidthsWithItsInterval) {
  const auto found = cell(against_host(1.25), kLarge, 1);
  EXPECT_NEAR(*found.ratio, 0.8, 0.001);
  EXPECT_LT(*found.ratio_low, 0.8);
  EXPECT_GT(*found.ratio_high, 0.8);
  EXPECT_EQ(found.against, Against::kWorse);
  EXPECT_EQ(cell(against_host(0.8), kLarge, 1).against, Against::kBetter);
}

TEST(Ratio, OfTheBaselineIsNotGiven) {
  const auto found = cell(against_host(1.25), kLarge, 0);
  EXPECT_EQ(found.against, Against::kBaseline);
  EXPECT_FALSE(found.ratio);
  EXPECT_TRUE(found.value);
}

TEST(Difference, BelowTheFloorOfSeparateRunsIsNoise) {
  EXPECT_EQ(cell(against_host(1.015), kLarge, 1).against, Against::kWithinNoise);
  EXPECT_EQ(cell(against_host(1.03), kLarge, 1).against, Against::kWorse);
}

TEST(Difference, InsideTheSpreadIsNoise) {
  const auto found = cell(against_host(1.05, {.mode = "overlay", .spread = 0.04}), kLarge, 1);
  EXPECT_EQ(found.against, Against::kWithinNoise);
  EXPECT_NEAR(*found.ratio, 0.952, 0.03);
}

TEST(Difference, WithTooFewBlocksCannotBeTold) {
  const auto found = cell(against_host(1.5, {.mode = "overlay", .blocks = 5}), kLarge, 1);
  EXPECT_NE(found.against, Against::kWorse);
}

TEST(Difference, OfLatencyBetweenRunsNeedsAQuarter) {
  const auto with = [](double us) {
    return cell(against_host(1, {.mode = "overlay", .latency_us = us}), 8, 1).against;
  };
  EXPECT_EQ(with(12), Against::kWithinNoise);
  EXPECT_EQ(with(13), Against::kWorse);
  EXPECT_EQ(with(7), Against::kBetter);
}

// A neighbour on the same memory takes half of it for a while.
TEST(Difference, InsideAHostBetweenRunsNeedsAHalf) {
  const auto with = [](double us_per_mib, const char* transport) {
    auto base = record({});
    auto other = record({.mode = "overlay", .us_per_mib = us_per_mib});
    base.results[0].transport = other.results[0].transport = transport;
    return cell(compared({base, other}), kLarge, 1).against;
  };
  for (const char* transport : {"memory", "shm"}) {
    EXPECT_EQ(with(1800, transport), Against::kWithinNoise);
    EXPECT_EQ(with(2200, transport), Against::kWorse);
  }
  EXPECT_EQ(with(1800, "tcp"), Against::kWorse);
}

TEST(Difference, IsPairedBlockByBlockInsideOneRun) {
  // Each block of both is slow or fast alike: the ratio is sharp although the blocks are not.
  auto run = record({.interface = "eth0", .spread = 0.2});
  const auto other = record({.interface = "net1", .us_per_mib = 1020, .spread = 0.2});
  run.results.insert(run.results.end(), other.results.begin(), other.results.end());
  const auto found = cell(compared({run}), kLarge, 1);
  EXPECT_NEAR(*found.ratio, 1 / 1.02, 1e-6);
  EXPECT_NEAR(*found.ratio_low, *found.ratio_high, 1e-6);
  EXPECT_EQ(found.against, Against::kWorse);
}

TEST(Cell, SaysWhyItIsEmpty) {
  auto other = record({.mode = "overlay"});
  other.results[0].path_proof = {model::ProofState::kContradicted, "eth1 grew instead"};
  const auto found = cell(compared({record({}), other}), kLarge, 1);
  EXPECT_FALSE(found.value);
  EXPECT_THAT(found.reason.value_or(""), HasSubstr("another path"));
  EXPECT_EQ(found.against, Against::kUnknown);
}

/// Of many comparisons of one mode with itself, how many call any difference.
int calls(double factor, int comparisons, double block_noise, double run_noise) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal(0, 1);
  const auto noisy = [&](Run run) {
    run.us_per_mib *= std::exp(run_noise * normal(random));
    auto made = record(run);
    for (auto& size : made.results[0].sizes) {
      for (double& us : size.block_medians_us) us *= std::exp(block_noise * normal(random));
    }
    return made;
  };
  int called = 0;
  for (int i = 0; i < comparisons; ++i) {
    const auto comparison =
        compared({noisy({.mode = "host"}), noisy({.mode = "host", .us_per_mib = 1000 * factor})});
    bool is_called = false;
    for (const auto& table : comparison.tables) {
      for (const auto& row : table.rows) {
        const auto against = row.cells[1].against;
        is_called = is_called || against == Against::kWorse || against == Against::kBetter;
      }
    }
    called += is_called ? 1 : 0;
  }
  return called;
}

// The judging line: of 100 comparisons of a mode with itself at most 5 call any difference, and a
// planted 3 % is called in at least 90 of 100; blocks spread by 0.5 %, runs by 0.2 %.
TEST(Noise, IsNotCalledAndThreePercentAre) {
  EXPECT_LE(calls(1, 400, 0.005, 0.002), 20);
  EXPECT_LE(calls(1, 400, 0.03, 0.002), 20);
  EXPECT_GE(calls(1.0309, 400, 0.005, 0.002), 360);
}

TEST(Path, NamesTheEncapsulationByWhatIsMissing) {
  const auto comparison =
      compared({record({.mode = "host"}), record({.mode = "overlay", .mtu = 1450}),
                record({.mode = "wireguard", .mtu = 1440}), record({.mode = "odd", .mtu = 1433})});
  EXPECT_EQ(fact_text(comparison, "path MTU", 1), "1450");
  EXPECT_EQ(fact_text(comparison, "encapsulation", 0), "none");
  EXPECT_EQ(fact_text(comparison, "encapsulation", 1), "VXLAN, 50 bytes");
  EXPECT_EQ(fact_text(comparison, "encapsulation", 2), "WireGuard, 60 bytes");
  EXPECT_EQ(fact_text(comparison, "encapsulation", 3), "unknown, 67 bytes");
}

TEST(Path, TellsTheRoutesMtuFromWhatArrives) {
  auto lowered = record({.mode = "host"});
  for (auto& result : lowered.results) {
    for (auto& pair : result.pairs) {
      pair.path =
          model::PathMtu{.device_mtu = 1500, .route_mtu = 1450, .forward_mtu = 1500, .reason = {}};
    }
  }
  const auto comparison = compared({record({.mode = "overlay"}), lowered});
  const auto is_lowered = [&](std::size_t run) {
    return fact_text(comparison, "route MTU", run) == "1450" &&
           fact_text(comparison, "path MTU", run) == "1500";
  };
  EXPECT_TRUE(is_lowered(0) || is_lowered(1));
}

TEST(Costs, AreExplainedByTheHeaders) {
  // 1398 of 1448 bytes are left.
  const auto text = against_host(1448.0 / 1398, {.mode = "overlay", .mtu = 1450}).costs.at(0).text;
  EXPECT_THAT(text, AllOf(HasSubstr("costs 3.5 % of host's bandwidth at 4 MiB"),
                          HasSubstr("VXLAN adds 50 bytes a packet, 3.5 % at MTU 1450"),
                          HasSubstr("that is all of it")));
}

TEST(Costs, BeyondTheHeadersAreWorkOnlyWhereTheCpuShowsIt) {
  const auto text_with = [](double cpu_s) {
    auto host = record({.mode = "host"});
    auto overlay = record({.mode = "overlay", .us_per_mib = 2000, .mtu = 1450});
    const auto spend = [](model::RunRecord& run, double seconds) {
      for (auto& result : run.results) {
        for (auto& pair : result.pairs) {
          pair.cpu_s_per_gbyte_src = pair.cpu_s_per_gbyte_dst = seconds;
        }
      }
    };
    spend(host, 0.1);
    spend(overlay, cpu_s);
    return compared({host, overlay}).costs.at(0).text;
  };
  EXPECT_THAT(text_with(0.3), AllOf(HasSubstr("costs 50.0 %"), HasSubstr("the other 46.5 % goes")));
  EXPECT_THAT(text_with(0.1), HasSubstr("the other 46.5 % is not the headers"));
}

TEST(Columns, SayWhereTheLabelContradicts) {
  auto run = record({.mode = "host"});
  run.mode.detected = "overlay-tunnel";
  const auto runs = compared({record({.mode = "overlay"}), run}).runs;
  EXPECT_THAT(runs, testing::Contains(testing::Field(&model::ComparedRun::name,
                                                     "host, detected overlay-tunnel")));
}

TEST(Costs, AreNoneWithinNoise) {
  const auto text = against_host(1.001, {.mode = "multus"}).costs.at(0).text;
  EXPECT_THAT(text, AllOf(HasSubstr("no difference beyond noise"), Not(HasSubstr("costs"))));
}

TEST(Limits, SayWhatClosesTheGap) {
  auto pod = record({.mode = "overlay"});
  for (auto& host : pod.hosts) {
    host.shm.size_bytes = 64 << 20;
    host.limits.memlock_soft_bytes = 8 << 20;
    host.storage =
        model::Storage{.type = "overlay", .size_bytes = {}, .free_bytes = {}, .reason = {}};
  }
  auto bare = record({.mode = "host"});
  for (auto& host : bare.hosts) {
    host.limits.is_memlock_unlimited = true;
    host.storage = model::Storage{.type = "ext4", .size_bytes = {}, .free_bytes = {}, .reason = {}};
  }
  const auto comparison = compared({bare, pod});
  EXPECT_EQ(fact_text(comparison, "/dev/shm", 1), "64 MiB");
  EXPECT_EQ(fact_text(comparison, "memlock", 0), "unlimited");
  std::string remedies;
  for (const auto& fact : comparison.limits) remedies += fact.cells[1].remedy.value_or("") + "\n";
  EXPECT_THAT(remedies, AllOf(HasSubstr("medium Memory"), HasSubstr("IPC_LOCK"),
                              HasSubstr("mounted volume")));
  for (const auto& fact : comparison.limits) EXPECT_FALSE(fact.cells[0].remedy) << fact.name;
}

TEST(Sweep, ShowsHowManyStreamsFillTheLink) {
  const auto swept = [](const test::Run& run, const std::vector<double>& us) {
    auto made = record(run);
    made.results.clear();
    for (std::size_t i = 0; i < us.size(); ++i) {
      auto one = run;
      one.us_per_mib = us[i];
      auto result = test::wire(one);
      result.channels = 1;
      result.threads = 1 << i;
      result.sockets = 1;
      made.results.push_back(result);
    }
    return made;
  };
  const auto comparison = compared({swept({.mode = "host"}, {1000, 1000, 1000}),
                                    swept({.mode = "overlay"}, {4000, 2000, 1000})});
  const auto& rows = comparison.tables.back().rows;
  std::vector<int> streams;
  for (const auto& row : rows) {
    if (row.streams) streams.push_back(*row.streams);
  }
  EXPECT_THAT(streams, testing::ElementsAre(1, 2, 4));
  EXPECT_NEAR(*rows[rows.size() - 3].cells[1].ratio, 0.25, 0.001);
  EXPECT_THAT(comparison.costs.at(0).text,
              AllOf(HasSubstr("1 stream carries 0.262"), HasSubstr("4 carry 1.049")));
}

}  // namespace
}  // namespace ringwise::compare
