// Tests of detecting the network mode.
#include "system/mode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "system/host.h"
#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

model::Host read(std::string_view machine) {
  return read_host(fixture(machine), {.find_nccl = false, .nccl = {}, .environment = std::nullopt});
}

model::Host pod(std::int64_t mtu) {
  model::Interface eth0;
  eth0.name = "eth0";
  eth0.kind = "veth";
  eth0.is_up = true;
  eth0.mtu = mtu;
  eth0.lower_index = 9;
  eth0.lower_namespace = 0;
  model::Host host;
  host.default_interface = "eth0";
  host.interfaces.push_back(eth0);
  return host;
}

TEST(DetectMode, SeesTheNodesOwnNetwork) {
  for (const char* machine : {"roce-host", "infiniband-host", "cloud-ena", "cloud-gvnic"}) {
    EXPECT_EQ(detect_mode(read(machine)).detected, "host") << machine;
  }
}

TEST(DetectMode, SeesACniNodeEvenThroughAVeth) {
  const auto mode = detect_mode(read("cni-node"));
  EXPECT_EQ(mode.detected, "host");
  EXPECT_THAT(mode.evidence, Contains(HasSubstr("flannel.1 (vxlan)")));
}

TEST(DetectMode, SeesASecondaryMacvlan) {
  const auto mode = detect_mode(read("pod-cgroup-v2"));
  EXPECT_EQ(mode.detected, "multus-macvlan");
  EXPECT_THAT(mode.evidence, Contains(HasSubstr("training/rail0 on net1")));
}

TEST(DetectMode, GoesByTheMeasuredInterface) {
  const auto host = read("pod-cgroup-v2");
  EXPECT_EQ(detect_mode(host, "net1").detected, "multus-macvlan");
  EXPECT_EQ(detect_mode(host, "eth0").detected, "overlay-tunnel");
}

TEST(DetectMode, SeesATunnelByTheMtuOfThePodsVeth) {
  for (const std::int64_t mtu : {1450, 1410, 1370, 8950, 8951, 8940}) {
    EXPECT_EQ(detect_mode(pod(mtu)).detected, "overlay-tunnel") << mtu;
  }
}

TEST(DetectMode, LeavesItOpenWhereTheEvidenceDoesNotDecide) {
  for (const std::int64_t mtu : {1500, 1460, 9000, 8896}) {
    const auto mode = detect_mode(pod(mtu));
    EXPECT_FALSE(mode.detected) << mtu;
    EXPECT_THAT(mode.evidence, Contains(HasSubstr("eth0 is a veth")));
  }
  EXPECT_FALSE(detect_mode(read("cgroup-v1")).detected);
}

TEST(DetectMode, TrustsEqualAddressesOfPodAndNode) {
  auto host = pod(1450);
  host.environment = {{"RINGWISE_POD_IP", "10.0.0.1"}, {"RINGWISE_HOST_IP", "10.0.0.1"}};
  EXPECT_EQ(detect_mode(host).detected, "host");
  host.environment["RINGWISE_POD_IP"] = "10.244.0.7";
  EXPECT_EQ(detect_mode(host).detected, "overlay-tunnel");
}

TEST(DetectMode, DoesNotTakeAMovedDeviceInAPodForTheHost) {
  auto host = read("cloud-ena");
  host.container = "kubernetes";
  EXPECT_FALSE(detect_mode(host).detected);
}

TEST(DetectMode, SaysThatItFoundNothing) {
  const auto mode = detect_mode({});
  EXPECT_FALSE(mode.detected);
  EXPECT_EQ(mode.evidence.size(), 1U);
}

}  // namespace
}  // namespace ringwise::system
