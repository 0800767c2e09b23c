// Tests of RDMA devices.
#include "system/rdma.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ReadRdmaDevices, ReadsRoceGidsWithTypeAndNetdev) {
  const auto devices = read_rdma_devices(fixture("roce-host"));
  ASSERT_EQ(devices.size(), 2U);
  const auto& device = devices[0];
  EXPECT_EQ(device.name, "mlx5_2");
  EXPECT_EQ(device.pci_address, "0000:17:00.0");
  EXPECT_EQ(device.numa_node, 0);
  EXPECT_EQ(device.firmware, "28.39.1002");
  EXPECT_EQ(device.board, "MT_0000000838");
  EXPECT_THAT(device.netdevs, ElementsAre("ens1f0np0"));
  ASSERT_EQ(device.ports.size(), 1U);
  const auto& port = device.ports[0];
  EXPECT_EQ(port.port, 1);
  EXPECT_EQ(port.state, "ACTIVE");
  EXPECT_EQ(port.link_layer, "Ethernet");
  EXPECT_EQ(port.rate, "400 Gb/sec (4X NDR)");
  ASSERT_EQ(port.gids.size(), 4U) << "the row of zeros is left out";
  EXPECT_EQ(port.gids[3].index, 3);
  EXPECT_EQ(port.gids[3].type, "RoCE v2");
  EXPECT_EQ(port.gids[3].netdev, "ens1f0np0");
}

TEST(ReadRdmaDevices, OrdersNamesByNumber) {
  const auto devices = read_rdma_devices(fixture("roce-host"));
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[1].name, "mlx5_10");
  EXPECT_EQ(devices[1].ports.at(0).state, "DOWN");
}

TEST(ReadRdmaDevices, ReadsInfiniBandLid) {
  const auto devices = read_rdma_devices(fixture("infiniband-host"));
  ASSERT_EQ(devices.size(), 1U);
  const auto& port = devices[0].ports.at(0);
  EXPECT_EQ(port.link_layer, "InfiniBand");
  EXPECT_EQ(port.lid, 31);
  EXPECT_FALSE(devices[0].numa_node);
  ASSERT_EQ(port.gids.size(), 1U);
  EXPECT_FALSE(port.gids[0].netdev);
  EXPECT_THAT(devices[0].netdevs, ElementsAre("ib0"));
}

TEST(ReadRdmaDevices, ShowsADeviceWhoseAddressesAreInAnotherNamespace) {
  const auto devices = read_rdma_devices(fixture("pod-cgroup-v2"));
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_THAT(devices[0].ports.at(0).gids, IsEmpty());
  EXPECT_THAT(devices[0].netdevs, IsEmpty());
}

TEST(ReadRdmaDevices, IgnoresFoldersThatAreNoPortOrGid) {
  const TemporaryRoot machine;
  const std::string device = "/sys/class/infiniband/x/";
  machine.write(device + "ports/abc/state", "4: ACTIVE");
  machine.write(device + "ports/-1/state", "4: ACTIVE");
  machine.write(device + "ports/2/gids/zz", "fe80::1");
  machine.write(device + "ports/2/lid", "0xfffff");
  machine.write("/sys/class/infiniband/abi_version", "1");
  const auto devices = read_rdma_devices(machine.root());
  ASSERT_EQ(devices.size(), 1U);
  ASSERT_EQ(devices[0].ports.size(), 1U);
  EXPECT_EQ(devices[0].ports[0].port, 2);
  EXPECT_THAT(devices[0].ports[0].gids, IsEmpty());
  EXPECT_FALSE(devices[0].ports[0].lid);
}

}  // namespace
}  // namespace ringwise::system
