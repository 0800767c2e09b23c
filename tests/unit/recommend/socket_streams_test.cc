// Tests of the advice on threads and sockets.
#include <gmock/gmock.h>

#include "recommend/recommend.h"
#include "run_builder.h"

namespace ringwise::recommend::test {
namespace {

using model::AdviceState;
using ::testing::HasSubstr;

struct Both {
  model::Advice threads;
  model::Advice sockets;
};

Both advise(const std::vector<model::Result>& results) {
  const std::vector<InputRun> runs{simple_run(results)};
  const auto made = recommend(runs);
  return {advice_named(made.advice, "NCCL_SOCKET_NTHREADS"),
          advice_named(made.advice, "NCCL_NSOCKS_PERTHREAD")};
}

TEST(SocketStreams, AreUnsetWithoutASweep) {
  const auto both = advise({wire({})});
  EXPECT_EQ(both.threads.state, AdviceState::kUnset);
  EXPECT_THAT(both.threads.reason,
              HasSubstr("not measured: run with --threads 0,1,2,4 --sockets 1,2,4"));
}

TEST(SocketStreams, SayThatTheDefaultLacksTheSizesOfTheOthers) {
  auto slow = wire({});
  for (auto& size : slow.sizes) {
    if (size.bytes >= (1 << 20)) size.block_medians_us.clear();
  }
  model::SizeResult small = wire({}).sizes[0];
  small.bytes = 64 << 10;
  slow.sizes.push_back(small);
  const auto both = advise({slow, wire({.us = 50000, .threads = 1, .sockets = 2})});
  EXPECT_THAT(both.threads.reason, HasSubstr("1 setting was measured beside NCCL's default"));
}

TEST(SocketStreams, AreTheSmallestWhoseIntervalOverlapsTheBest) {
  const auto both = advise({wire({}), wire({.us = 90000, .threads = 1}),
                            wire({.us = 70100, .spread = 0.004, .threads = 2, .sockets = 1}),
                            wire({.us = 70000, .threads = 2, .sockets = 4})});
  EXPECT_EQ(both.threads.value, "2");
  EXPECT_EQ(both.sockets.value, "1");
  EXPECT_EQ(both.threads.state, AdviceState::kPredicted);
  EXPECT_NEAR(*both.threads.factor, 100.0 / 70.1, 5e-3);
  EXPECT_THAT(both.threads.reason, HasSubstr("both with 2 channels"));
  EXPECT_THAT(both.threads.reason, HasSubstr("limit 64"));
}

TEST(SocketStreams, AreUnsetForAGainWithinItsNoise) {
  const auto both =
      advise({wire({.spread = 0.2}), wire({.us = 90000, .spread = -0.2, .threads = 2})});
  EXPECT_EQ(both.threads.state, AdviceState::kUnset);
  EXPECT_THAT(both.threads.reason, HasSubstr("of 1 setting tried none beats"));
}

TEST(SocketStreams, AreUnsetForAGainTooSmallToMatter) {
  EXPECT_EQ(advise({wire({}), wire({.us = 98000, .threads = 2})}).threads.value, std::nullopt);
}

TEST(SocketStreams, AreUnsetWhereNcclsDefaultWasNotMeasured) {
  const auto both = advise({wire({.threads = 1}), wire({.us = 50000, .threads = 2})});
  EXPECT_THAT(both.threads.reason, HasSubstr("default (0 threads x 1 sockets) was not measured"));
}

TEST(SocketStreams, CompareWithTheDefaultOfTheNic) {
  auto run = simple_run({wire({.threads = 2, .sockets = 8}), wire({.us = 140000, .threads = 0})});
  for (auto& host : run.record.hosts) host.interfaces[1].pci_vendor = "0x1d0f";
  const std::vector<InputRun> runs{run};
  const auto advice = advice_named(recommend(runs).advice, "NCCL_SOCKET_NTHREADS");
  EXPECT_EQ(advice.value, std::nullopt);
  EXPECT_THAT(advice.reason, HasSubstr("NCCL's default (2 x 8"));
}

}  // namespace
}  // namespace ringwise::recommend::test
