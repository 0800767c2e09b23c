// Did the bytes take the path that was measured?
#include "probe/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::probe {
namespace {

using model::ProofState;

Endpoint ethernet() {
  Endpoint endpoint;
  endpoint.interface = "eth0";
  return endpoint;
}

model::CounterValues counters(std::uint64_t sent, std::uint64_t received) {
  return {{"tx_bytes", sent}, {"rx_bytes", received}};
}

TEST(JudgePath, CountersThatGrewByThePayloadProveIt) {
  const Payload payload{.sent_to_other_hosts = 1000, .received_from_other_hosts = 900};
  const auto proof = judge_path(ethernet(), payload, counters(5, 5), counters(1055, 955));
  EXPECT_EQ(proof.state, ProofState::kProved);
}

TEST(JudgePath, CountersThatGrewLessContradictIt) {
  const Payload payload{.sent_to_other_hosts = 1000, .received_from_other_hosts = 1000};
  EXPECT_EQ(judge_path(ethernet(), payload, counters(0, 0), counters(999, 2000)).state,
            ProofState::kContradicted);
  EXPECT_EQ(judge_path(ethernet(), payload, counters(0, 0), counters(2000, 999)).state,
            ProofState::kContradicted);
}

TEST(JudgePath, NothingIsProvedWithoutCounters) {
  const Payload payload{.sent_to_other_hosts = 1000};
  EXPECT_EQ(judge_path(ethernet(), payload, {}, counters(1, 1)).state, ProofState::kUnavailable);
}

TEST(JudgePath, TrafficWithinAHostProvesNothingOfAnInterface) {
  const Payload payload{.within_host = 1000};
  const auto proof = judge_path(ethernet(), payload, counters(0, 0), counters(0, 0));
  EXPECT_EQ(proof.state, ProofState::kUnavailable);
  EXPECT_THAT(proof.reason, testing::HasSubstr("lo"));
  const auto nothing = judge_path(ethernet(), {}, counters(0, 0), counters(0, 0));
  EXPECT_THAT(nothing.reason, testing::HasSubstr("too small for its channels"));
}

TEST(FindCarrier, NamesTheInterfaceThatGrewInstead) {
  const Payload payload{.sent_to_other_hosts = 1000, .received_from_other_hosts = 1000};
  const auto all = [](std::uint64_t eth0, std::uint64_t tunnel, std::uint64_t below) {
    return std::vector<system::InterfaceCounters>{{"eth0", 1, counters(eth0, eth0)},
                                                  {"below", 2, counters(below, below)},
                                                  {"tunnel", 3, counters(tunnel, tunnel)}};
  };
  EXPECT_EQ(find_carrier(ethernet(), payload, all(7, 7, 7), all(40, 1027, 1060)), "tunnel");
  EXPECT_EQ(find_carrier(ethernet(), payload, all(7, 7, 7), all(40, 60, 1060)), "below");
  EXPECT_EQ(find_carrier(ethernet(), payload, all(7, 7, 7), all(40, 60, 60)), std::nullopt);
}

TEST(FindCarrier, AsksOnlyForTheDirectionThatIsMissing) {
  const Payload payload{.sent_to_other_hosts = 1000, .received_from_other_hosts = 1000};
  const std::vector<system::InterfaceCounters> before{{"eth0", 1, counters(0, 0)},
                                                      {"eth1", 2, counters(0, 0)}};
  const std::vector<system::InterfaceCounters> after{{"eth0", 1, counters(20, 1010)},
                                                     {"eth1", 2, counters(1010, 20)}};
  EXPECT_EQ(find_carrier(ethernet(), payload, before, after), "eth1");
}

TEST(JudgePath, LoopbackCountsTrafficWithinTheHost) {
  Endpoint loopback;
  loopback.interface = "lo";
  loopback.is_loopback = true;
  const Payload payload{.within_host = 1000};
  EXPECT_EQ(judge_path(loopback, payload, counters(0, 0), counters(1100, 1100)).state,
            ProofState::kProved);
  EXPECT_EQ(judge_path(loopback, payload, counters(0, 0), counters(10, 10)).state,
            ProofState::kContradicted);
}

}  // namespace
}  // namespace ringwise::probe
