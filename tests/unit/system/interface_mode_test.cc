// Tests of the class of one interface.
#include "system/interface_mode.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mode_hosts.h"

namespace ringwise::system {
namespace {

using ::testing::HasSubstr;

InterfaceMode of(const model::Host& host, const char* name) {
  return interface_mode(make_scene(host), *find_interface(host, name));
}

model::Host kubernetes_pod(std::int64_t mtu) {
  auto host = pod_with_veth(mtu);
  host.container = "kubernetes";
  return host;
}

/// A pod with a device moved in as net1.
model::Host pod_with_device() {
  auto host = kubernetes_pod(1450);
  auto& net1 = add_interface(host, "net1", "");
  net1.driver = "mlx5_core";
  net1.pci_address = "0000:3b:02.1";
  return host;
}

TEST(InterfaceMode, SeesATunnelByTheDevicesMtu) {
  for (const std::int64_t mtu :
       {1480, 1450, 1442, 1440, 1430, 1420, 1370, 1410, 1340, 1376, 8980, 8950, 8951, 8940, 8846}) {
    EXPECT_EQ(of(pod_with_veth(mtu), "eth0").mode, "overlay-tunnel") << mtu;
  }
}

TEST(InterfaceMode, SeesATunnelByTheRoutesMtu) {
  auto host = kubernetes_pod(1500);
  host.interfaces.front().route_mtu = 1450;
  const auto found = of(host, "eth0");
  EXPECT_EQ(found.mode, "overlay-tunnel");
  EXPECT_THAT(found.why, HasSubstr("MTU 1500, 1450 on a route: 50 bytes"));
}

TEST(InterfaceMode, DoesNotTakeAnyRoutesMtuForATunnel) {
  auto host = kubernetes_pod(9001);
  host.interfaces.front().route_mtu = 1500;
  EXPECT_EQ(of(host, "eth0").mode, "unknown");
}

TEST(InterfaceMode, SeesNativeRoutingByTheFullMtu) {
  for (const std::int64_t mtu : {1500, 9000, 9001, 1460, 8896}) {
    EXPECT_EQ(of(kubernetes_pod(mtu), "eth0").mode, "overlay-native") << mtu;
  }
}

TEST(InterfaceMode, KnowsNetkitDevices) {
  auto host = kubernetes_pod(1500);
  host.interfaces.front().kind = "netkit";
  EXPECT_EQ(of(host, "eth0").mode, "overlay-native");
}

TEST(InterfaceMode, DoesNotGuessFromAnMtu) {
  // Geneve or AKS, nothing known, between, unknown.
  for (const std::int64_t mtu : {1400, 1000, 1490, 4000, 65535}) {
    EXPECT_EQ(of(kubernetes_pod(mtu), "eth0").mode, "unknown") << mtu;
  }
  auto host = kubernetes_pod(1500);
  host.are_routes_known = false;
  EXPECT_THAT(of(host, "eth0").why, HasSubstr("routes are not known"));
  EXPECT_EQ(of(host, "eth0").mode, "unknown");
  EXPECT_EQ(of(pod_with_veth(1500), "eth0").mode, "unknown") << "a plain container";
  host.interfaces.front().mtu.reset();
  EXPECT_EQ(of(host, "eth0").mode, "unknown");
}

TEST(InterfaceMode, KnowsTheKindsOfSecondaryInterfaces) {
  for (const char* kind : {"macvlan", "ipvlan"}) {
    auto host = kubernetes_pod(1450);
    add_interface(host, "net1", kind).lower_namespace = 0;
    EXPECT_EQ(of(host, "net1").mode, std::string("multus-") + kind);
    host.interfaces.back().lower_namespace.reset();
    EXPECT_EQ(of(host, "net1").mode, "unknown") << "its lower device is here";
    host.networks = {network("ml/rail0", "net1")};
    EXPECT_EQ(of(host, "net1").mode, std::string("multus-") + kind) << "network-status lists it";
  }
}

TEST(InterfaceMode, TellsThePodsOwnIpvlanFromASecondaryOne) {
  auto host = kubernetes_pod(1500);
  host.interfaces.front().kind = "ipvlan";
  EXPECT_EQ(of(host, "eth0").mode, "ipvlan-default");
  host.interfaces.front().kind = "macvlan";
  EXPECT_EQ(of(host, "eth0").mode, "unknown");
}

TEST(InterfaceMode, TellsAnIpoibChildFromADevice) {
  auto host = pod_with_device();
  auto& net1 = host.interfaces.back();
  net1.kind = "ipoib";
  EXPECT_EQ(of(host, "net1").mode, "multus-hostdev");
  net1.physical_function = "0000:3b:00.0";
  EXPECT_EQ(of(host, "net1").mode, "multus-sriov-vf");
  net1.lower_index = 7;
  EXPECT_EQ(of(host, "net1").mode, "multus-ipoib");
}

TEST(InterfaceMode, TellsAVirtualFunctionFromAWholeDevice) {
  auto host = pod_with_device();
  EXPECT_EQ(of(host, "net1").mode, "multus-hostdev");
  host.interfaces.back().physical_function = "0000:3b:00.0";
  EXPECT_EQ(of(host, "net1").mode, "multus-sriov-vf");

  host = pod_with_device();
  host.interfaces.back().driver = "iavf";
  EXPECT_EQ(of(host, "net1").mode, "multus-sriov-vf");

  host = pod_with_device();
  host.networks = {network("ml/vf", "net1")};
  host.networks.front().physical_function = "0000:3b:00.0";
  EXPECT_EQ(of(host, "net1").mode, "multus-sriov-vf");
}

TEST(InterfaceMode, NamesTheAllocationOfTheDevicePlugin) {
  auto host = pod_with_device();
  host.environment = {{"PCIDEVICE_NVIDIA_COM_HOSTDEV", "0000:17:00.0,0000:3b:02.1"},
                      {"PCIDEVICE_NVIDIA_COM_HOSTDEV_INFO", "0000:3b:02.1"}};
  const auto found = of(host, "net1");
  EXPECT_EQ(found.mode, "multus-hostdev") << "sysfs shows no physical function";
  EXPECT_THAT(found.why, HasSubstr("PCIDEVICE_NVIDIA_COM_HOSTDEV lists 0000:3b:02.1"));

  // Where sysfs is another namespace's, the annotation names the device.
  host.interfaces.back().driver.reset();
  host.interfaces.back().pci_address.reset();
  host.networks = {network("ml/vf", "net1")};
  host.networks.front().pci_address = "0000:3b:02.1";
  EXPECT_EQ(of(host, "net1").mode, "multus-sriov-vf");
  host.environment.clear();
  EXPECT_EQ(of(host, "net1").mode, "multus-hostdev");
}

TEST(InterfaceMode, LeavesThePodsOwnDeviceOpen) {
  auto host = machine_with_nic();
  host.container = "kubernetes";
  host.environment = {{"RINGWISE_POD_IP", "10.0.0.9"}, {"RINGWISE_HOST_IP", "10.0.0.1"}};
  EXPECT_EQ(of(host, "eth0").mode, "unknown");
  add_interface(host, "net1", "").driver = "virtio_net";
  EXPECT_EQ(of(host, "net1").mode, "unknown") << "any network is a device in a virtual machine";
  host.interfaces.back().physical_function = "0000:3b:00.0";
  EXPECT_EQ(of(host, "net1").mode, "multus-sriov-vf");
}

TEST(InterfaceMode, KnowsGkesNetworks) {
  auto host = kubernetes_pod(1460);
  add_interface(host, "eth1", "veth").lower_namespace = 0;
  host.networks = {default_network("default", "eth0", "gke"), network("vpc1", "eth1", "gke")};
  EXPECT_EQ(of(host, "eth0").mode, "overlay-native");
  EXPECT_EQ(of(host, "eth1").mode, "gke-multinet");
  host.interfaces.back().kind = "macvlan";
  host.networks.push_back(network("vpc1", "eth1"));
  EXPECT_EQ(of(host, "eth1").mode, "multus-macvlan") << "attached by Multus";
}

TEST(InterfaceMode, HasNoClassForASecondVeth) {
  auto host = kubernetes_pod(1450);
  add_interface(host, "net1", "veth", 1450).lower_namespace = 0;
  EXPECT_EQ(of(host, "net1").mode, "unknown");
}

TEST(ClassifyInterfaces, LeavesOutLoopbackAndDevicesWithoutAnAddress) {
  auto host = machine_with_nic();
  add_interface(host, "lo", "").is_loopback = true;
  add_interface(host, "eth1", "").addresses.clear();
  classify_interfaces(host);
  EXPECT_EQ(host.interfaces[0].mode, "host");
  EXPECT_FALSE(host.interfaces[1].mode);
  EXPECT_FALSE(host.interfaces[2].mode);
  classify_interfaces(host, "eth1");
  EXPECT_EQ(host.interfaces[2].mode, "host") << "it is asked about";
}

}  // namespace
}  // namespace ringwise::system
