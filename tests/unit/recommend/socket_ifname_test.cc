// Tests of the advice on NCCL_SOCKET_IFNAME.
#include <gmock/gmock.h>

#include "recommend/measured_path.h"
#include "recommend/recommend.h"
#include "run_builder.h"

namespace ringwise::recommend::test {
namespace {

using model::AdviceState;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kName = "NCCL_SOCKET_IFNAME";

model::Advice advise(const InputRun& run) {
  const std::vector<InputRun> runs{run};
  return advice_named(recommend(runs).advice, kName);
}

TEST(SocketIfname, LeavesItUnsetWhereNcclPicksTheMeasuredInterfaceItself) {
  const auto advice = advise(simple_run({wire({})}));
  EXPECT_EQ(advice.state, AdviceState::kUnset);
  EXPECT_EQ(advice.value, std::nullopt);
  EXPECT_THAT(advice.reason, HasSubstr("eth0"));
}

TEST(SocketIfname, IsExactWhereNcclWouldPickMore) {
  const std::vector<std::string> names{"eth0", "eth1"};
  const auto advice = advise(run_of({host_of("node1", 1, names), host_of("node2", 2, names)},
                                    {{"eth0"}, {"eth0"}}, {wire({})}));
  EXPECT_EQ(advice.state, AdviceState::kRequired);
  EXPECT_EQ(advice.value, "=eth0");
  EXPECT_THAT(advice.reason, HasSubstr("NCCL's own rule picks eth0 with eth1 on node1"));
}

TEST(SocketIfname, IsAListWhereNamesDifferAndItIsRightOnEachHost) {
  const auto advice =
      advise(run_of({host_of("node1", 1, {"eth0", "tun0"}), host_of("node2", 2, {"ens5", "tun0"})},
                    {{"eth0"}, {"ens5"}}, {wire({.interface = "eth0|ens5"})}));
  EXPECT_EQ(advice.value, "=eth0,ens5");
  EXPECT_THAT(advice.per_host, IsEmpty());
}

TEST(SocketIfname, IsAValueForEachHostWhereTheListWouldSelectMore) {
  const auto advice =
      advise(run_of({host_of("node1", 1, {"eth0", "ens5"}), host_of("node2", 2, {"ens5", "eth0"})},
                    {{"eth0"}, {"ens5"}}, {wire({.interface = "eth0|ens5"})}));
  EXPECT_EQ(advice.state, AdviceState::kRequired);
  EXPECT_EQ(advice.value, std::nullopt);
  EXPECT_EQ(advice.per_host.at("node1"), "=eth0");
  EXPECT_EQ(advice.per_host.at("node2"), "=ens5");
}

TEST(SocketIfname, IsTheRightOneOnEveryHostWhateverTheValueLooksLike) {
  const std::vector<std::vector<std::string>> names{
      {"eth0"}, {"eth0", "eth1"}, {"ib0", "eth0"}, {"ens5", "virbr0", "eth0"}, {"eth0", "eth00"}};
  for (const auto& first : names) {
    for (const auto& second : names) {
      const auto run = run_of({host_of("node1", 1, first), host_of("node2", 2, second)},
                              {{first.back()}, {second.back()}},
                              {wire({.interface = first.back() + "|" + second.back()})});
      const auto advice = advise(run);
      for (std::size_t i = 0; i < 2; ++i) {
        const auto& host = run.record.hosts[i];
        const auto own = advice.per_host.find(host.host);
        const auto value = own != advice.per_host.end() ? own->second : advice.value.value_or("");
        const auto chosen = value.empty() ? automatic_choice(host) : choice_with(host, value);
        EXPECT_EQ(chosen, run.record.ranks[i].interfaces) << value;
      }
    }
  }
}

TEST(SocketIfname, IsSetForHostNetworkOfAClusterEvenWhereNcclIsRightToday) {
  auto run = simple_run({wire({})});
  for (auto& host : run.record.hosts) host.node = "worker";
  EXPECT_EQ(advise(run).value, "=eth0");
}

TEST(SocketIfname, NeedsTrafficBetweenHosts) {
  const auto advice =
      advise(run_of({host_of("node1", 1, {"eth0"})}, {{"lo"}}, {wire({.interface = "lo"})}));
  EXPECT_EQ(advice.value, std::nullopt);
  EXPECT_THAT(advice.reason, HasSubstr("not enough evidence: one host"));
}

TEST(SocketIfname, TakesTheFasterOfInterfacesMeasuredInTurn) {
  const std::vector<std::string> names{"eth0", "net1"};
  const auto run = run_of({host_of("pod1", 1, names), host_of("pod2", 2, names)},
                          {{"eth0", "net1"}, {"eth0", "net1"}},
                          {wire({.us = 100000}), wire({.us = 80000, .interface = "net1"})});
  const auto advice = advise(run);
  EXPECT_EQ(advice.value, "=net1");
  EXPECT_THAT(advice.reason, HasSubstr("net1 over eth0: 1.25"));
}

TEST(SocketIfname, SaysWhenItIsNotClearWhichInterfaceWasMeasured) {
  const std::vector<std::string> names{"eth0", "net1"};
  auto run = run_of({host_of("pod1", 1, names), host_of("pod2", 2, names)}, {{}, {}},
                    {wire({.interface = "eth0|net1"})});
  EXPECT_THAT(advise(run).reason, HasSubstr("does not tell which of eth0|net1"));
}

}  // namespace
}  // namespace ringwise::recommend::test
