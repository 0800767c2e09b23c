// Tests of container and pod facts.
#include "system/pod.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

model::Host read(const SysRoot& root, const Environment& environment = {}) {
  model::Host host;
  add_pod_facts(root, environment, host);
  return host;
}

TEST(PodFacts, TakesNamesFromTheEnvironmentFirst) {
  const auto host = read(fixture("pod-cgroup-v2"), {{"RINGWISE_NODE_NAME", "node-7"},
                                                    {"RINGWISE_POD_NAME", "ringwise-0-abcde"},
                                                    {"RINGWISE_POD_NAMESPACE", "ml"}});
  EXPECT_EQ(host.node, "node-7");
  EXPECT_EQ(host.pod, "ringwise-0-abcde");
  EXPECT_EQ(host.pod_namespace, "ml");
}

TEST(PodFacts, FallsBackToTheDownwardApiFiles) {
  const auto host = read(fixture("pod-cgroup-v2"));
  EXPECT_FALSE(host.node);
  EXPECT_EQ(host.pod, "ringwise-0-x7k2p");
  EXPECT_EQ(host.pod_namespace, "training");
}

TEST(PodFacts, ReadsMultusNetworkStatus) {
  const auto host = read(fixture("pod-cgroup-v2"));
  ASSERT_EQ(host.networks.size(), 2U);
  EXPECT_TRUE(host.networks[0].is_default);
  EXPECT_EQ(host.networks[1].name, "training/rail0");
  EXPECT_EQ(host.networks[1].interface, "net1");
  EXPECT_FALSE(host.networks[1].is_default);
}

TEST(PodFacts, ReadsTheStatusFromAFileOfItsOwnAndUnderItsOldName) {
  const TemporaryRoot machine;
  machine.write("/etc/podnetinfo/annotations",
                "k8s.v1.cni.cncf.io/networks-status=\"[{\\\"interface\\\": \\\"net1\\\"}]\"\n");
  EXPECT_THAT(read(machine.root()).networks, SizeIs(1));
  machine.write("/etc/podinfo/network-status", R"([{"name": "a"}, {"name": "b"}])");
  EXPECT_THAT(read(machine.root()).networks, SizeIs(2));
}

TEST(PodFacts, ReadsTheDeviceOfANetwork) {
  const auto host = read(fixture("sriov-vf-pod"));
  ASSERT_EQ(host.networks.size(), 2U);
  const auto& rail = host.networks[1];
  EXPECT_EQ(rail.source, "multus");
  EXPECT_EQ(rail.device_type, "pci");
  EXPECT_EQ(rail.pci_address, "0000:3b:02.1");
  EXPECT_EQ(rail.physical_function, "0000:3b:00.0");
  EXPECT_EQ(rail.mtu, 9000);
  EXPECT_FALSE(host.networks[0].device_type || host.networks[0].mtu);
}

TEST(PodFacts, ReadsTheNetworksOfGke) {
  const auto host = read(fixture("gke-multinet-pod"));
  ASSERT_EQ(host.networks.size(), 3U);
  EXPECT_EQ(host.networks[0].source, "gke");
  EXPECT_TRUE(host.networks[0].is_default);
  EXPECT_EQ(host.networks[2].name, "rdma-0");
  EXPECT_EQ(host.networks[2].interface, "eth2");
  EXPECT_FALSE(host.networks[2].is_default);
}

TEST(PodFacts, KnowsGkesDefaultNetworkByEitherName) {
  for (const std::string name : {"default", "pod-network", "vlan-123"}) {
    const TemporaryRoot machine;
    machine.write("/etc/podinfo/annotations",
                  "networking.gke.io/interfaces=\"[{\\\"network\\\":\\\"" + name + "\\\"}]\"\n");
    const auto host = read(machine.root());
    ASSERT_EQ(host.networks.size(), 1U) << name;
    EXPECT_EQ(host.networks[0].is_default, name != "vlan-123") << name;
  }
}

TEST(PodFacts, SurvivesHostileNetworks) {
  const TemporaryRoot machine;
  machine.write("/etc/podinfo/network-status",
                R"([7, {"name": 3, "interface": [], "default": "yes", "mtu": -1,
                    "device-info": {"type": {}, "pci": 4}}, {"device-info": "pci"}])");
  machine.write("/etc/podinfo/annotations",
                "networking.gke.io/interfaces=\"[3, {\\\"interface\\\": \\\"a\\\"}]\"\n");
  const auto host = read(machine.root());
  ASSERT_EQ(host.networks.size(), 3U);
  EXPECT_FALSE(host.networks[0].is_default || host.networks[0].mtu || host.networks[0].pci_address);
  EXPECT_EQ(host.networks[2].name, "a") << "a NetworkInterface object instead of a network";
  machine.write("/etc/podinfo/annotations", "networking.gke.io/interfaces=\"nothing\"\n");
  EXPECT_THAT(read(machine.root()).problems,
              ::testing::ElementsAre(::testing::HasSubstr("networking.gke.io/interfaces")));
}

TEST(PodFacts, SurvivesABrokenStatus) {
  const TemporaryRoot machine;
  machine.write("/etc/podinfo/network-status", "{not json");
  const auto host = read(machine.root());
  EXPECT_THAT(host.networks, IsEmpty());
  EXPECT_THAT(host.problems, SizeIs(1));
}

TEST(PodFacts, TellsTheKindOfContainer) {
  EXPECT_FALSE(read(fixture("roce-host")).container);
  EXPECT_EQ(read(fixture("cgroup-v1")).container, "docker");
  EXPECT_EQ(read(fixture("roce-host"), {{"KUBERNETES_SERVICE_HOST", "10.96.0.1"}}).container,
            "kubernetes");
  const TemporaryRoot machine;
  machine.write("/proc/self/cgroup", "0::/kubepods.slice/pod1\n");
  machine.write("/.dockerenv", "");
  EXPECT_EQ(read(machine.root()).container, "kubernetes");
  const TemporaryRoot podman;
  podman.write("/run/.containerenv", "");
  EXPECT_EQ(read(podman.root()).container, "podman");
}

}  // namespace
}  // namespace ringwise::system
