// Tests of telling a node's network namespace from a pod's.
#include "system/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mode_hosts.h"

namespace ringwise::system {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

Surroundings surroundings(const model::Host& host) {
  return make_scene(host).surroundings;
}

TEST(Scene, TrustsTheAddressesOfPodAndNodeFirst) {
  auto host = pod_with_veth(1450);
  add_interface(host, "cali1", "veth");
  host.environment = {{"RINGWISE_POD_IP", "10.0.0.1"}, {"RINGWISE_HOST_IP", "10.0.0.1"}};
  EXPECT_EQ(surroundings(host), Surroundings::kNode);
  host.environment["RINGWISE_POD_IP"] = "10.244.0.7";
  EXPECT_EQ(surroundings(host), Surroundings::kPod);
}

TEST(Scene, KnowsDevicesThatOnlyNodesHave) {
  for (const char* name : {"cni0", "flannel.1", "cali1a2b", "vxlan.calico", "cilium_host",
                           "lxc1a2b", "eni1a2b", "gke52a9", "azvc440f", "ovn-k8s-mp0", "ovn0",
                           "genev_sys_6081", "antrea-gw0", "kube-ipvs0", "nodelocaldns"}) {
    auto host = pod_with_veth(1500);
    add_interface(host, name, "veth");
    EXPECT_EQ(surroundings(host), Surroundings::kNode) << name;
  }
}

TEST(Scene, DoesNotTakeTheIdleTunnelOfEveryNamespaceForANode) {
  auto host = pod_with_veth(1480);
  add_interface(host, "tunl0", "ipip").is_up = false;
  EXPECT_EQ(surroundings(host), Surroundings::kPod);
  host.interfaces.back().is_up = true;
  EXPECT_EQ(surroundings(host), Surroundings::kNode);
}

TEST(Scene, KnowsANodeByItsBridgePortsIntoOtherNamespaces) {
  auto host = machine_with_nic();
  host.container = "kubernetes";
  EXPECT_EQ(surroundings(host), Surroundings::kOpen);
  auto& port = add_interface(host, "veth12", "veth");
  port.lower_namespace = 1;
  EXPECT_EQ(surroundings(host), Surroundings::kOpen) << "no bridge's port";
  host.interfaces.back().master = "br7";
  EXPECT_EQ(surroundings(host), Surroundings::kNode);
}

TEST(Scene, DoesNotTakeContainersInAPodForANode) {
  auto host = pod_with_veth(1450);
  auto& port = add_interface(host, "veth12", "veth");
  port.lower_namespace = 1;
  port.master = "docker0";
  EXPECT_EQ(surroundings(host), Surroundings::kPod);
}

TEST(Scene, KnowsAPodByItsNetworkStatus) {
  auto host = machine_with_nic();
  host.container = "kubernetes";
  host.networks = {default_network("cbr0", "eth0")};
  EXPECT_EQ(surroundings(host), Surroundings::kPod);
  host.networks.front().interface = "eth7";
  EXPECT_EQ(surroundings(host), Surroundings::kOpen) << "no such interface is here";
}

TEST(Scene, KnowsAPodByAnInterfaceOverADeviceElsewhere) {
  auto host = machine_with_nic();
  host.container = "kubernetes";
  add_interface(host, "net1", "ipvlan");
  EXPECT_EQ(surroundings(host), Surroundings::kOpen);
  host.interfaces.back().lower_namespace = 0;
  EXPECT_EQ(surroundings(host), Surroundings::kPod);
}

TEST(Scene, DoesNotBelieveWhatAPodAsksGkeFor) {
  auto host = machine_with_nic();
  host.container = "kubernetes";
  host.networks = {network("vpc1", "eth0", "gke")};
  const auto scene = make_scene(host);
  EXPECT_EQ(scene.surroundings, Surroundings::kOpen);
  EXPECT_THAT(scene.evidence, Contains(HasSubstr("networking.gke.io/interfaces lists vpc1")));
}

TEST(Scene, KnowsAMachineByItsDevices) {
  EXPECT_EQ(surroundings(machine_with_nic()), Surroundings::kNode);
  auto bonded = machine_with_nic();
  add_interface(bonded, "bond0", "bond");
  bonded.default_interface = "bond0";
  EXPECT_EQ(surroundings(bonded), Surroundings::kNode);
}

TEST(Scene, TakesEth0ForThePodsOwnNetworkAlsoWithoutTheDefaultRoute) {
  auto host = pod_with_veth(1450);
  add_interface(host, "net1", "macvlan").lower_namespace = 0;
  host.default_interface = "net1";
  host.container = "kubernetes";
  EXPECT_EQ(make_scene(host).primary->name, "eth0");
  host.networks = {default_network("fast", "net1")};
  EXPECT_EQ(make_scene(host).primary->name, "net1") << "network-status says so";
}

}  // namespace
}  // namespace ringwise::system
