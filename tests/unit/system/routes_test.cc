// Tests of the MTUs that routes set.
#include "system/routes.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

model::Interface interface_of(const char* name, std::int64_t mtu) {
  model::Interface interface;
  interface.name = name;
  interface.mtu = mtu;
  return interface;
}

TEST(ParseIpRoutes, TakesTheSmallestOfEachInterface) {
  const auto mtus = parse_ip_routes(R"([
    {"dst": "default", "dev": "eth0", "metrics": [{"mtu": 1450}]},
    {"dst": "10.0.0.0/8", "dev": "eth0", "metrics": [{"advmss": 100}, {"mtu": 1400}]},
    {"dst": "fd00::/64", "dev": "eth0"},
    {"dst": "10.9.0.0/16", "metrics": [{"mtu": 8950}],
     "nexthops": [{"dev": "net1"}, {"dev": "net2"}]}])");
  ASSERT_TRUE(mtus);
  EXPECT_THAT(*mtus, ElementsAre(Pair("eth0", 1400), Pair("net1", 8950), Pair("net2", 8950)));
}

TEST(ParseIpRoutes, LeavesOutWhatIsNotUnicast) {
  const auto mtus = parse_ip_routes(R"([
    {"type": "local", "dst": "10.0.0.1", "dev": "eth0", "metrics": [{"mtu": 100}]},
    {"type": "unreachable", "dst": "10.1.0.0/16", "dev": "lo", "metrics": [{"mtu": 100}]}])");
  ASSERT_TRUE(mtus);
  EXPECT_THAT(*mtus, IsEmpty());
}

TEST(ParseIpRoutes, SurvivesHostileText) {
  for (const std::string text : {"", "{", "null", "\xff", "{\"a\": 1}"}) {
    EXPECT_FALSE(parse_ip_routes(text)) << text;
  }
  EXPECT_FALSE(parse_ip_routes(std::string(100000, '[')));
  const auto mtus = parse_ip_routes(R"([1, {}, {"dev": 3, "metrics": 4},
    {"dev": "a", "metrics": [7, {"mtu": "x"}, {"mtu": 0}, {"mtu": -5}, {"mtu": 99999999999}]},
    {"metrics": [{"mtu": 1}], "nexthops": {"dev": "b"}}])");
  ASSERT_TRUE(mtus);
  EXPECT_THAT(*mtus, IsEmpty());
}

TEST(AddRouteMtus, SetsOnlyWhatIsBelowTheDevice) {
  const TemporaryRoot machine;
  machine.write("/ip-route.json", R"([
    {"dst": "default", "dev": "eth0", "metrics": [{"mtu": 1450}]},
    {"dst": "10.0.0.0/8", "dev": "net1", "metrics": [{"mtu": 9000}]}])");
  std::vector<model::Interface> interfaces{interface_of("eth0", 1500), interface_of("net1", 9000)};
  std::vector<std::string> problems;
  EXPECT_TRUE(add_route_mtus(machine.root(), interfaces, problems));
  EXPECT_EQ(interfaces[0].route_mtu, 1450);
  EXPECT_FALSE(interfaces[1].route_mtu);
  EXPECT_THAT(problems, IsEmpty());
}

TEST(AddRouteMtus, TellsUnknownFromNone) {
  std::vector<model::Interface> interfaces{interface_of("eth0", 1500)};
  std::vector<std::string> problems;
  const TemporaryRoot machine;
  EXPECT_FALSE(add_route_mtus(machine.root(), interfaces, problems));
  EXPECT_THAT(problems, IsEmpty());
  machine.write("/ip-route.json", "nothing");
  EXPECT_FALSE(add_route_mtus(machine.root(), interfaces, problems));
  EXPECT_THAT(problems, ElementsAre(HasSubstr("ip-route.json")));
}

TEST(AddRouteMtus, ReadsThisMachine) {
  std::vector<model::Interface> interfaces;
  std::vector<std::string> problems;
  EXPECT_TRUE(add_route_mtus({}, interfaces, problems));
  EXPECT_THAT(problems, IsEmpty());
}

}  // namespace
}  // namespace ringwise::system
