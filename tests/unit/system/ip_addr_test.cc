// Tests of reading
// [{"ifindex":1,"ifname":"lo","flags":["LOOPBACK","UP","LOWER_UP"],"mtu":65536,"qdisc":"noqueue","operstate":"UNKNOWN","group":"default","txqlen":1000,"link_type":"loopback","address":"00:00:00:00:00:00","broadcast":"00:00:00:00:00:00","addr_info":[{"family":"inet","local":"127.0.0.1","prefixlen":8,"scope":"host","label":"lo","valid_life_time":4294967295,"preferred_life_time":4294967295},{"family":"inet6","local":"::1","prefixlen":128,"scope":"host","valid_life_time":4294967295,"preferred_life_time":4294967295}]},{"ifindex":2,"ifname":"ifb0","flags":["BROADCAST","NOARP"],"mtu":1500,"qdisc":"noop","operstate":"DOWN","group":"default","txqlen":32,"link_type":"ether","address":"9a:14:32:5d:89:a7","broadcast":"ff:ff:ff:ff:ff:ff","addr_info":[]},{"ifindex":3,"ifname":"ifb1","flags":["BROADCAST","NOARP"],"mtu":1500,"qdisc":"noop","operstate":"DOWN","group":"default","txqlen":32,"link_type":"ether","address":"6e:77:b7:4b:c8:ab","broadcast":"ff:ff:ff:ff:ff:ff","addr_info":[]},{"ifindex":4,"ifname":"eth0","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"mtu":1400,"qdisc":"pfifo_fast","operstate":"UP","group":"default","txqlen":1000,"link_type":"ether","address":"02:fc:00:00:00:01","broadcast":"ff:ff:ff:ff:ff:ff","addr_info":[{"family":"inet","local":"192.0.2.2","prefixlen":24,"broadcast":"192.0.2.255","scope":"global","label":"eth0","valid_life_time":4294967295,"preferred_life_time":4294967295},{"family":"inet6","local":"fd00::2","prefixlen":64,"scope":"global","nodad":true,"valid_life_time":4294967295,"preferred_life_time":4294967295},{"family":"inet6","local":"fe80::fc:ff:fe00:1","prefixlen":64,"scope":"link","valid_life_time":4294967295,"preferred_life_time":4294967295}]}]
// of another machine.
#include "system/ip_addr.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ParseIpAddr, ReadsKindLowerDeviceAndNamespace) {
  std::vector<std::string> problems;
  const auto links = parse_ip_addr(R"([
    {"ifindex": 3, "ifname": "eth0", "flags": ["UP", "LOWER_UP"], "mtu": 1450, "operstate": "UP",
     "link_index": 37, "link_netnsid": 0, "linkinfo": {"info_kind": "veth"}, "address": "0a:58",
     "addr_info": [{"family": "inet", "local": "10.244.1.7", "prefixlen": 24, "scope": "global",
                    "label": "eth0:1"}]},
    {"ifindex": 4, "ifname": "flannel.1", "link": "eth0", "flags": [], "mtu": 1400}])",
                                   problems);
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_EQ(links.size(), 2U);
  const auto& pod = links[0].facts;
  EXPECT_EQ(pod.kind, "veth");
  EXPECT_EQ(pod.lower_index, 37);
  EXPECT_EQ(pod.lower_namespace, 0);
  EXPECT_TRUE(pod.is_running);
  EXPECT_EQ(pod.mtu, 1450);
  ASSERT_EQ(pod.addresses.size(), 1U);
  EXPECT_EQ(pod.addresses[0].label, "eth0:1");
  EXPECT_EQ(links[0].hardware_address, "0a:58");
  EXPECT_EQ(links[1].facts.lower_index, 3);
  EXPECT_FALSE(links[1].facts.lower_namespace);
  EXPECT_FALSE(links[1].facts.is_up);
}

TEST(ParseIpAddr, KnowsALowerDeviceThatHasNoNameHere) {
  std::vector<std::string> problems;
  const auto links = parse_ip_addr(
      R"([{"ifindex": 18, "ifname": "net1", "link": "if7"},
          {"ifindex": 19, "ifname": "a", "link": "ifx"},
          {"ifindex": 20, "ifname": "b", "link": "if99999999999"}])",
      problems);
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0].facts.lower_index, 7);
  EXPECT_FALSE(links[1].facts.lower_index);
  EXPECT_FALSE(links[2].facts.lower_index);
}

TEST(ParseIpAddr, KeepsTheOrderOfTheText) {
  std::vector<std::string> problems;
  const auto links =
      parse_ip_addr(R"([{"ifindex":9,"ifname":"b"},{"ifindex":2,"ifname":"a"}])", problems);
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].facts.name, "b");
}

TEST(ParseIpAddr, TellsWhatItLeftOut) {
  std::vector<std::string> problems;
  const auto links = parse_ip_addr(
      R"([{}, 3, {"ifname": "x"}, {"ifindex": 99999999999, "ifname": "y"}, {"ifindex": 1,
          "ifname": "lo", "mtu": "many", "flags": "UP", "addr_info": [4, {"family": "mpls"}]}])",
      problems);
  ASSERT_EQ(links.size(), 1U);
  EXPECT_FALSE(links[0].facts.mtu);
  EXPECT_THAT(problems, ElementsAre(HasSubstr("3 entries")));
}

TEST(ParseIpAddr, SurvivesWhatIsNoJson) {
  for (const std::string text : {"", "{", "null", "\xff\xfe", "{\"a\": 1}"}) {
    std::vector<std::string> problems;
    EXPECT_THAT(parse_ip_addr(text, problems), IsEmpty());
    EXPECT_EQ(problems.size(), 1U) << text;
  }
  std::vector<std::string> problems;
  EXPECT_THAT(parse_ip_addr(std::string(200000, '['), problems), IsEmpty());
}

}  // namespace
}  // namespace ringwise::system
