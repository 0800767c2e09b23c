// NCCL's choice of interfaces: grammar, automatic steps, families, NCCL_COMM_ID.
#include "plan/nccl_interfaces.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hosts.h"

namespace ringwise::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<model::Interface> kTwoNics{
    loopback(), interface("eth0", {"10.0.0.1/24", "fe80::1/64"}),
    interface("eth1", {"10.0.1.1/24"}), interface("eth10", {"10.0.10.1/24"}),
    interface("docker0", {"172.17.0.1/16"})};

std::string by_ifname(const std::string& value) {
  return chosen(select_interfaces(kTwoNics, {.socket_ifname = value}));
}

TEST(ParseIfname, ReadsMarksTokensAndPorts) {
  const auto spec = parse_ifname("^=eth0:5000,ib0");
  EXPECT_TRUE(spec.is_exclusion);
  EXPECT_TRUE(spec.is_exact);
  EXPECT_THAT(spec.tokens, ElementsAre("eth0", "ib0"));
}

TEST(ParseIfname, TakesMarksElsewhereAsNames) {
  EXPECT_THAT(parse_ifname("eth0,^eth1").tokens, ElementsAre("eth0", "^eth1"));
  const auto spec = parse_ifname("=^eth0");
  EXPECT_FALSE(spec.is_exclusion);
  EXPECT_THAT(spec.tokens, ElementsAre("^eth0"));
}

TEST(ParseIfname, SkipsEmptyTokensAndKeepsBlanks) {
  EXPECT_THAT(parse_ifname("eth0,, eth1,").tokens, ElementsAre("eth0", " eth1"));
  EXPECT_THAT(parse_ifname(":5,eth0").tokens, ElementsAre("eth0"));
}

TEST(ParseIfname, DropsWhatFollowsTheSixteenthToken) {
  std::string text = "a0";
  for (int i = 1; i < 18; ++i) text += ",a" + std::to_string(i);
  const auto spec = parse_ifname(text);
  EXPECT_EQ(spec.tokens.size(), 16U);
  EXPECT_THAT(spec.dropped, ElementsAre("a16", "a17"));
}

TEST(SelectInterfaces, MatchesPrefixesUnlessExact) {
  EXPECT_EQ(by_ifname("eth1"), "eth1 10.0.1.1, eth10 10.0.10.1");
  EXPECT_EQ(by_ifname("=eth1"), "eth1 10.0.1.1");
  EXPECT_EQ(by_ifname("^eth1"), "lo 127.0.0.1, eth0 10.0.0.1, docker0 172.17.0.1");
  EXPECT_EQ(by_ifname("^=eth1,lo,docker0"), "eth0 10.0.0.1, eth10 10.0.10.1");
}

TEST(SelectInterfaces, KeepsKernelOrderWhateverTheListSays) {
  EXPECT_EQ(by_ifname("=eth1,eth0"), "eth0 10.0.0.1, eth1 10.0.1.1");
}

TEST(SelectInterfaces, AnEmptyListMatchesEverythingOrNothing) {
  EXPECT_EQ(by_ifname(",,"),
            "lo 127.0.0.1, eth0 10.0.0.1, eth1 10.0.1.1, eth10 10.0.10.1, docker0 172.17.0.1");
  EXPECT_EQ(by_ifname("^="), "");
}

TEST(SelectInterfaces, IgnoresAListOfOneCharacterAndSaysSo) {
  const auto result = select_interfaces(kTwoNics, {.socket_ifname = "e"});
  EXPECT_EQ(chosen(result), "eth0 10.0.0.1, eth1 10.0.1.1, eth10 10.0.10.1");
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("more than one character")));
}

TEST(SelectInterfaces, SaysWhatThereIsWhenNothingMatches) {
  const auto result = select_interfaces(kTwoNics, {.socket_ifname = "ens"});
  EXPECT_THAT(result.chosen, IsEmpty());
  EXPECT_THAT(result.error, HasSubstr("NCCL_SOCKET_IFNAME=ens matches no interface"));
  EXPECT_THAT(result.error, HasSubstr("eth10 10.0.10.1"));
}

TEST(SelectInterfaces, NotesNamesThatContainMarks) {
  const auto result = select_interfaces(kTwoNics, {.socket_ifname = "eth0,^eth1"});
  EXPECT_EQ(chosen(result), "eth0 10.0.0.1");
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("'^eth1' is taken as a name")));
}

TEST(SelectInterfaces, AutomaticPrefersInfinibandNames) {
  auto interfaces = kTwoNics;
  interfaces.push_back(interface("ib0", {"192.168.0.1/24"}));
  const auto result = select_interfaces(interfaces, {});
  EXPECT_EQ(chosen(result), "ib0 192.168.0.1");
  EXPECT_THAT(result.rule, HasSubstr("ib"));
}

TEST(SelectInterfaces, AutomaticLeavesDockerLoopbackAndVirbrForLast) {
  const auto docker = interface("docker0", {"172.17.0.1/16"});
  const auto virbr = interface("virbr0", {"192.168.122.1/24"});
  EXPECT_EQ(chosen(select_interfaces({virbr, loopback(), docker}, {})), "docker0 172.17.0.1");
  EXPECT_EQ(chosen(select_interfaces({virbr, loopback()}, {})), "lo 127.0.0.1");
  EXPECT_EQ(chosen(select_interfaces({virbr}, {})), "virbr0 192.168.122.1");
}

TEST(SelectInterfaces, AutomaticTakesVirbrLikeAnyOtherBefore2283) {
  const std::vector<model::Interface> interfaces{interface("virbr0", {"192.168.122.1/24"}),
                                                 interface("eth0", {"10.0.0.1/24"})};
  EXPECT_EQ(chosen(select_interfaces(interfaces, {.nccl_version = "2.27.7"})),
            "virbr0 192.168.122.1, eth0 10.0.0.1");
  EXPECT_EQ(chosen(select_interfaces(interfaces, {.nccl_version = "2.28.3"})), "eth0 10.0.0.1");
  EXPECT_EQ(chosen(select_interfaces(interfaces, {})), "eth0 10.0.0.1");
}

TEST(SelectInterfaces, AutomaticDoesNotExcludeTunnelsAndBridges) {
  const std::vector<model::Interface> interfaces{loopback(), interface("tun0", {"10.8.0.1/24"}),
                                                 interface("br-1a2b", {"172.18.0.1/16"})};
  EXPECT_EQ(chosen(select_interfaces(interfaces, {})), "tun0 10.8.0.1, br-1a2b 172.18.0.1");
}

TEST(SelectInterfaces, PutsIpv4OfAllInterfacesBeforeIpv6) {
  const std::vector<model::Interface> interfaces{interface("eth0", {"fd00::1/64"}),
                                                 interface("eth1", {"10.0.0.1/24", "fd01::1/64"})};
  EXPECT_EQ(chosen(select_interfaces(interfaces, {})), "eth1 10.0.0.1, eth0 fd00::1");
}

TEST(SelectInterfaces, FamilyWordsHaveToBeExact) {
  const std::vector<model::Interface> interfaces{interface("eth0", {"10.0.0.1/24", "fd00::1/64"})};
  EXPECT_EQ(chosen(select_interfaces(interfaces, {.socket_family = "AF_INET6"})), "eth0 fd00::1");
  EXPECT_EQ(chosen(select_interfaces(interfaces, {.socket_family = "AF_INET"})), "eth0 10.0.0.1");
  const auto ignored = select_interfaces(interfaces, {.socket_family = "ipv6"});
  EXPECT_EQ(chosen(ignored), "eth0 10.0.0.1");
  EXPECT_THAT(ignored.notes, ElementsAre(HasSubstr("NCCL_SOCKET_FAMILY=ipv6 is ignored")));
}

TEST(SelectInterfaces, TakesLinkLocalButNeverIpv6Loopback) {
  const std::vector<model::Interface> interfaces{loopback(), interface("eth0", {"fe80::1/64"})};
  EXPECT_EQ(chosen(select_interfaces(interfaces, {.socket_family = "AF_INET6"})), "eth0 fe80::1");
  EXPECT_EQ(chosen(select_interfaces({loopback()}, {.socket_family = "AF_INET6"})), "");
}

TEST(SelectInterfaces, WantsALinkAndTakesTheFirstAddressOnly) {
  const std::vector<model::Interface> interfaces{without_link(interface("eth0", {"10.0.0.1/24"})),
                                                 interface("eth1", {"10.0.1.1/24", "10.0.2.1/24"}),
                                                 interface("eth2", {})};
  EXPECT_EQ(chosen(select_interfaces(interfaces, {})), "eth1 10.0.1.1");
}

TEST(SelectInterfaces, TakesAnAddressLabelForTheName) {
  auto eth0 = interface("eth0", {"10.0.0.1/24", "fd00::1/64"});
  eth0.addresses[0].label = "eth0:1";
  EXPECT_EQ(chosen(select_interfaces({eth0}, {.socket_ifname = "=eth0"})), "eth0 fd00::1");
  const auto both = select_interfaces({eth0}, {.socket_ifname = "eth0"});
  EXPECT_EQ(chosen(both), "eth0 10.0.0.1, eth0 fd00::1");
  EXPECT_EQ(both.chosen[0].label, "eth0:1");
}

TEST(SelectInterfaces, TakesAtMostSixteen) {
  std::vector<model::Interface> interfaces;
  interfaces.reserve(20);
  for (int i = 0; i < 20; ++i) {
    interfaces.push_back(
        interface("eth" + std::to_string(i), {"10.0." + std::to_string(i) + ".1/24"}));
  }
  const auto result = select_interfaces(interfaces, {});
  EXPECT_EQ(result.chosen.size(), 16U);
  EXPECT_EQ(result.chosen.back().name, "eth15");
  EXPECT_EQ(chosen(select_interfaces(interfaces, {}, 1)), "eth0 10.0.0.1");
}

TEST(SelectInterfaces, CommIdCountsOnlyInTheAutomaticChoice) {
  const SelectionEnv env{.comm_id = "10.0.1.99:5000"};
  EXPECT_EQ(chosen(select_interfaces(kTwoNics, env)), "eth1 10.0.1.1");
  auto named = env;
  named.socket_ifname = "eth0";
  EXPECT_EQ(chosen(select_interfaces(kTwoNics, named)), "eth0 10.0.0.1");
}

TEST(SelectBootstrap, IsTheFirstOfTheDataInterfaces) {
  EXPECT_EQ(chosen(select_bootstrap(kTwoNics, {})), "eth0 10.0.0.1");
}

TEST(SelectBootstrap, ObeysOnlyCommIdWhenThatIsSet) {
  const SelectionEnv env{
      .socket_ifname = "eth0", .socket_family = "AF_INET6", .comm_id = "10.0.1.99:5000"};
  const auto result = select_bootstrap(kTwoNics, env);
  EXPECT_EQ(chosen(result), "eth1 10.0.1.1");
  EXPECT_EQ(result.rule, "same subnet as NCCL_COMM_ID=10.0.1.99:5000");
}

TEST(SelectBootstrap, CommIdFindsInterfacesWithoutLinkAndLaterAddresses) {
  const std::vector<model::Interface> interfaces{loopback(),
                                                 without_link(interface("eth0", {"10.0.0.1/24"})),
                                                 interface("eth1", {"10.0.1.1/24", "10.0.2.1/24"})};
  EXPECT_EQ(chosen(select_bootstrap(interfaces, {.comm_id = "10.0.0.9:1"})), "eth0 10.0.0.1");
  EXPECT_EQ(chosen(select_bootstrap(interfaces, {.comm_id = "10.0.2.9:1"})), "eth1 10.0.2.1");
  EXPECT_EQ(chosen(select_bootstrap(interfaces, {.comm_id = "[::1]:1"})), "lo ::1");
}

TEST(SelectBootstrap, CommIdWithAZoneWantsThatInterface) {
  const std::vector<model::Interface> interfaces{interface("eth0", {"fe80::1/64"}),
                                                 interface("eth1", {"fe80::2/64", "fd00::2/64"})};
  EXPECT_EQ(chosen(select_bootstrap(interfaces, {.comm_id = "[fe80::9%eth1]:1"})), "eth1 fe80::2");
  EXPECT_EQ(chosen(select_bootstrap(interfaces, {.comm_id = "[fe80::9]:1"})), "");
  EXPECT_EQ(chosen(select_bootstrap(interfaces, {.comm_id = "[fd00::9]:1"})), "eth1 fd00::2");
}

TEST(SelectBootstrap, SaysWhatIsWrongWithACommId) {
  const auto error = [](const std::string& value) {
    return select_bootstrap(kTwoNics, {.comm_id = value}).error;
  };
  EXPECT_THAT(error(""), HasSubstr("too short"));
  EXPECT_THAT(error("[fd00::1:5"), HasSubstr("'[' without ']'"));
  EXPECT_THAT(error("[10.0.1.9]:5"), HasSubstr("no IPv6 address in its brackets"));
  EXPECT_THAT(error("head-node:5000"), HasSubstr("names a host"));
  EXPECT_THAT(error("10.9.9.9:5000"), HasSubstr("no address is in the subnet"));
}

TEST(SelectionEnv, TakesItsVariablesFromAnEnvironment) {
  const auto env = selection_env({{"NCCL_SOCKET_IFNAME", "eth"}, {"NCCL_DEBUG", "INFO"}}, "2.28.9");
  EXPECT_EQ(env.socket_ifname, "eth");
  EXPECT_FALSE(env.comm_id);
  EXPECT_EQ(env.nccl_version, "2.28.9");
}

TEST(Describe, SaysWhichInterfacesHaveNoLinkOrAddress) {
  EXPECT_EQ(describe({without_link(interface("eth0", {"10.0.0.1/24"})), interface("eth1", {})}),
            "eth0 (no link) 10.0.0.1, eth1 (no address)");
  EXPECT_EQ(describe({}), "no interface");
}

}  // namespace
}  // namespace ringwise::plan
