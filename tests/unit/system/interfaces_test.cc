// Tests of interfaces: the device behind each, and the default route.
#include "system/interfaces.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

model::Interface find(const SysRoot& root, const std::string& name) {
  std::vector<std::string> problems;
  const auto all = read_interfaces(root, problems);
  EXPECT_THAT(problems, IsEmpty());
  const auto found = std::ranges::find(all, name, &model::Interface::name);
  EXPECT_NE(found, all.end()) << name;
  return found == all.end() ? model::Interface{} : *found;
}

TEST(ReadInterfaces, NamesTheDeviceBehindANic) {
  const auto nic = find(fixture("roce-host"), "ens1f0np0");
  EXPECT_EQ(nic.driver, "mlx5_core");
  EXPECT_EQ(nic.pci_address, "0000:17:00.0");
  EXPECT_EQ(nic.pci_vendor, "0x15b3");
  EXPECT_EQ(nic.numa_node, 0);
  EXPECT_EQ(nic.speed_mbit_per_s, 400000);
  EXPECT_EQ(nic.mtu, 9000);
  EXPECT_EQ(nic.kind, "");
  ASSERT_EQ(nic.addresses.size(), 3U);
  EXPECT_EQ(nic.addresses[0].address, "10.1.0.1");
  EXPECT_EQ(nic.addresses[1].label, "ens1f0np0:1");
}

TEST(ReadInterfaces, AddsTheOffloadsOfTheSameIndex) {
  const auto nic = find(fixture("roce-host"), "ens1f0np0");
  ASSERT_TRUE(nic.offloads);
  EXPECT_EQ(nic.offloads->tso, true);
  EXPECT_EQ(nic.offloads->gro, false);
  EXPECT_FALSE(nic.offloads->rx_checksum) << "it was not saved";
  EXPECT_FALSE(find(fixture("roce-host"), "eno1").offloads);
  EXPECT_FALSE(find(fixture("virtio-vm"), "eth0").offloads) << "that fixture has no ethtool.json";
}

TEST(ReadInterfaces, TellsRunningFromUp) {
  EXPECT_TRUE(find(fixture("roce-host"), "ens2f0np0").is_up);
  EXPECT_FALSE(find(fixture("roce-host"), "ens2f0np0").is_running);
  EXPECT_TRUE(find(fixture("roce-host"), "lo").is_running);
  EXPECT_TRUE(find(fixture("roce-host"), "lo").is_loopback);
}

TEST(ReadInterfaces, FindsThePciDeviceAboveVirtio) {
  const auto nic = find(fixture("virtio-vm"), "eth0");
  EXPECT_EQ(nic.pci_address, "0000:00:03.0");
  EXPECT_EQ(nic.pci_vendor, "0x1af4");
  EXPECT_EQ(nic.driver, "virtio_net");
  EXPECT_FALSE(nic.speed_mbit_per_s) << "virtio says -1";
}

TEST(ReadInterfaces, KnowsTheVendorsThatNcclTreatsDifferently) {
  EXPECT_EQ(find(fixture("cloud-ena"), "ens5").pci_vendor, "0x1d0f");
  EXPECT_EQ(find(fixture("cloud-gvnic"), "ens5").pci_vendor, "0x1ae0");
  EXPECT_FALSE(find(fixture("cloud-ena"), "ens5").numa_node) << "the firmware says -1";
}

TEST(ReadInterfaces, KnowsAVirtualFunctionByItsPhysicalOne) {
  const auto vf = find(fixture("sriov-vf-pod"), "net1");
  EXPECT_EQ(vf.pci_address, "0000:3b:02.1");
  EXPECT_EQ(vf.physical_function, "0000:3b:00.0");
  EXPECT_FALSE(find(fixture("hostdev-pod"), "net1").physical_function);
  EXPECT_FALSE(find(fixture("roce-host"), "ens1f0np0").physical_function);
}

TEST(ReadInterfaces, DoesNotTakeAnyLinkForAPhysicalFunction) {
  const TemporaryRoot machine;
  machine.write("/ip-addr.json", R"([{"ifindex": 2, "ifname": "eth0"}])");
  machine.write("/sys/devices/pci0000:00/0000:00:03.0/vendor", "0x1af4");
  machine.write("/sys/devices/pci0000:00/0000:00:03.0/virtio0/id", "");
  machine.link("/sys/devices/pci0000:00/0000:00:03.0/physfn", "../elsewhere");
  machine.link("/sys/class/net/eth0/device", "../../../devices/pci0000:00/0000:00:03.0/virtio0");
  std::vector<std::string> problems;
  auto all = read_interfaces(machine.root(), problems);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].physical_function);
  std::filesystem::remove(machine.place("/sys/devices/pci0000:00/0000:00:03.0/physfn"));
  machine.link("/sys/devices/pci0000:00/0000:00:03.0/physfn", "../0000:00:02.0");
  all = read_interfaces(machine.root(), problems);
  EXPECT_EQ(all[0].physical_function, "0000:00:02.0") << "the PCI device above virtio's has it";
}

TEST(ReadInterfaces, HasNoDeviceBehindSoftwareInterfaces) {
  const auto pod = find(fixture("pod-cgroup-v2"), "net1");
  EXPECT_EQ(pod.kind, "macvlan");
  EXPECT_EQ(pod.lower_index, 2);
  EXPECT_EQ(pod.lower_namespace, 0);
  EXPECT_EQ(pod.speed_mbit_per_s, 25000);
  EXPECT_FALSE(pod.driver);
  EXPECT_FALSE(pod.pci_address);
}

TEST(ReadInterfaces, LeavesSysfsOfAnotherNamespaceOut) {
  const TemporaryRoot machine;
  machine.write("/ip-addr.json",
                R"([{"ifindex": 2, "ifname": "eth0", "address": "02:00:00:00:00:01"}])");
  machine.write("/sys/class/net/eth0/ifindex", "2");
  machine.write("/sys/class/net/eth0/address", "02:00:00:00:00:99");
  machine.write("/sys/class/net/eth0/speed", "100000");
  std::vector<std::string> problems;
  const auto all = read_interfaces(machine.root(), problems);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].speed_mbit_per_s);
  EXPECT_THAT(problems, ElementsAre(HasSubstr("another network namespace")));
}

TEST(ReadInterfaces, DoesNotLeaveTheFolderByAName) {
  const TemporaryRoot machine;
  machine.write("/ip-addr.json", R"([{"ifindex": 2, "ifname": "../../../secret"}])");
  machine.write("/secret/speed", "100000");
  std::vector<std::string> problems;
  const auto all = read_interfaces(machine.root(), problems);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].speed_mbit_per_s);
}

TEST(ReadInterfaces, SaysThatAFixtureHasNone) {
  const TemporaryRoot machine;
  std::vector<std::string> problems;
  EXPECT_THAT(read_interfaces(machine.root(), problems), IsEmpty());
  EXPECT_THAT(problems, ElementsAre(HasSubstr("ip-addr.json")));
}

TEST(ReadDefaultInterface, TakesTheLowestMetric) {
  EXPECT_EQ(read_default_interface(fixture("roce-host")), "eno1");
}

TEST(ReadDefaultInterface, FallsBackToIpv6AndIgnoresTheRejectRoute) {
  const TemporaryRoot machine;
  const std::string zero(32, '0');
  machine.write("/proc/net/route", "Iface\tDestination\n");
  machine.write("/proc/net/ipv6_route", zero + " 00 " + zero + " 00 " + zero +
                                            " ffffffff 1 0 00200200 lo\n" + zero + " 00 " + zero +
                                            " 00 fe80" + std::string(28, '0') +
                                            " 00000400 1 0 00000003 eth7\n");
  EXPECT_EQ(read_default_interface(machine.root()), "eth7");
}

TEST(ReadDefaultInterface, IsAbsentWithoutADefaultRoute) {
  const TemporaryRoot machine;
  EXPECT_FALSE(read_default_interface(machine.root()));
}

}  // namespace
}  // namespace ringwise::system
