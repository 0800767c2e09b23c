// Tests of detecting the network mode of a host or pod.
#include "system/mode.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mode_hosts.h"
#include "system/host.h"
#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

model::Host read(std::string_view machine, const Environment& environment = {}) {
  HostOptions options;
  options.find_nccl = false;
  options.environment = environment;
  return read_host(fixture(machine), options);
}

std::string class_of(const model::Host& host, std::string_view name) {
  const auto found = std::ranges::find(host.interfaces, name, &model::Interface::name);
  if (found == host.interfaces.end()) return "no such interface";
  return found->mode.value_or("absent");
}

/// A recorded machine, the interface that is asked about ("" for none), and its mode.
struct Recorded {
  const char* machine;
  const char* interface;
  const char* mode;
};

TEST(DetectMode, KnowsTheRecordedMachines) {
  const std::vector<Recorded> machines{{"roce-host", "", "host"},
                                       {"infiniband-host", "", "host"},
                                       {"cloud-ena", "", "host"},
                                       {"cloud-gvnic", "", "host"},
                                       {"cgroup-v1", "", "unknown"},
                                       {"pod-cgroup-v2", "", "multus-macvlan"},
                                       {"pod-cgroup-v2", "net1", "multus-macvlan"},
                                       {"pod-cgroup-v2", "eth0", "overlay-tunnel"},
                                       {"cilium-pod", "", "overlay-tunnel"},
                                       {"aws-vpc-cni-pod", "", "overlay-native"},
                                       {"gke-node", "", "host"},
                                       {"gke-multinet-pod", "", "gke-multinet"},
                                       {"gke-multinet-pod", "eth0", "overlay-native"},
                                       {"gke-multinet-pod", "eth1", "gke-multinet"},
                                       {"gke-multinet-pod", "eth2", "gke-multinet"},
                                       {"azure-node", "", "host"},
                                       {"azure-node", "enP30832s1", "host"},
                                       {"ipvlan-pod", "", "ipvlan-default"},
                                       {"sriov-vf-pod", "", "multus-sriov-vf"},
                                       {"sriov-vf-pod", "net1", "multus-sriov-vf"},
                                       {"sriov-vf-pod", "eth0", "overlay-tunnel"},
                                       {"hostdev-pod", "", "multus-hostdev"},
                                       {"ipoib-pod", "net1", "multus-ipoib"},
                                       {"hostnetwork-pod", "", "host"},
                                       {"hostnetwork-pod", "ens1f0v2", "host"},
                                       {"hostnetwork-pod", "mv0", "host"},
                                       {"kata-pod", "", "unknown"},
                                       {"kata-pod", "eth0", "unknown"}};
  for (const auto& one : machines) {
    EXPECT_EQ(detect_mode(read(one.machine), one.interface).detected, one.mode)
        << one.machine << " " << one.interface;
  }
}

TEST(DetectMode, GivesEveryInterfaceItsClass) {
  const auto pod = read("gke-multinet-pod");
  EXPECT_EQ(class_of(pod, "lo"), "absent");
  EXPECT_EQ(class_of(pod, "eth0"), "overlay-native");
  EXPECT_EQ(class_of(pod, "eth1"), "gke-multinet");
  EXPECT_EQ(class_of(pod, "eth2"), "gke-multinet");
  const auto node = read("hostnetwork-pod");
  for (const char* name : {"ens1f0np0", "ens1f0v2", "mv0", "tunl0"}) {
    EXPECT_EQ(class_of(node, name), "host") << name;
  }
  EXPECT_EQ(class_of(node, "cali1a2b3c4d5e6"), "absent") << "it has no address";
}

TEST(DetectMode, SeesACniNodeEvenThroughAVeth) {
  const auto mode = detect_mode(read("cni-node"));
  EXPECT_EQ(mode.detected, "host");
  EXPECT_THAT(mode.evidence, Contains(HasSubstr("flannel.1 (vxlan)")));
}

TEST(DetectMode, SaysWhatDecided) {
  EXPECT_THAT(detect_mode(read("pod-cgroup-v2")).evidence,
              AllOf(Contains(HasSubstr("training/rail0 on net1")),
                    Contains(HasSubstr("secondary: net1 is a macvlan over a device in another "
                                       "namespace, MTU 1500"))));
  EXPECT_THAT(detect_mode(read("cilium-pod")).evidence,
              Contains("eth0 is a veth whose peer is in another namespace, MTU 1500, 1450 on a "
                       "route: 50 bytes for a tunnel header"));
  const Environment allocated{{"PCIDEVICE_NVIDIA_COM_SRIOV", "0000:3b:02.1"}};
  EXPECT_THAT(detect_mode(read("sriov-vf-pod", allocated), "net1").evidence,
              Contains(AllOf(HasSubstr("PCIDEVICE_NVIDIA_COM_SRIOV lists 0000:3b:02.1"),
                             HasSubstr("virtual function of 0000:3b:00.0"))));
}

TEST(DetectMode, TrustsEqualAddressesOfPodAndNode) {
  auto host = pod_with_veth(1450);
  host.environment = {{"RINGWISE_POD_IP", "10.0.0.1"}, {"RINGWISE_HOST_IP", "10.0.0.1"}};
  EXPECT_EQ(detect_mode(host).detected, "host");
  host.environment["RINGWISE_POD_IP"] = "10.244.0.7";
  EXPECT_EQ(detect_mode(host).detected, "overlay-tunnel");
}

TEST(DetectMode, DoesNotTakeAMovedDeviceInAPodForTheHost) {
  auto host = read("cloud-ena");
  host.container = "kubernetes";
  EXPECT_EQ(detect_mode(host).detected, "unknown");
}

TEST(DetectMode, TakesTheFirstOfSeveralMeasuredInterfaces) {
  const auto host = read("pod-cgroup-v2");
  EXPECT_EQ(detect_mode(host, "eth0,net1").detected, "overlay-tunnel");
  EXPECT_EQ(detect_mode(host, "net1,eth0").detected, "multus-macvlan");
}

TEST(DetectMode, DoesNotLetASecondaryInterfaceWithoutAClassDecide) {
  auto host = pod_with_veth(1450);
  add_interface(host, "net1", "veth", 1450).lower_namespace = 0;
  EXPECT_EQ(detect_mode(host).detected, "overlay-tunnel");
  EXPECT_EQ(detect_mode(host, "net1").detected, "unknown");
}

TEST(DetectMode, SaysWhatIsNotTold) {
  const auto unknown = detect_mode(pod_with_veth(1500));
  EXPECT_EQ(unknown.detected, "unknown");
  EXPECT_THAT(unknown.evidence, Contains(HasSubstr("not told: RINGWISE_POD_IP")));
  EXPECT_THAT(detect_mode(pod_with_veth(1450)).evidence, Not(Contains(HasSubstr("not told"))));
}

TEST(DetectMode, SaysThatItFoundNothing) {
  const auto mode = detect_mode({});
  EXPECT_EQ(mode.detected, "unknown");
  EXPECT_THAT(mode.evidence, Contains(HasSubstr("nothing was found")));
}

}  // namespace
}  // namespace ringwise::system
