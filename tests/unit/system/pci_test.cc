// Tests of PCI devices.
#include "system/pci.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;

TEST(ReadPciDevices, KeepsNetworkGpuAndStorage) {
  std::vector<std::string> kinds;
  for (const auto& device : read_pci_devices(fixture("roce-host"))) {
    kinds.push_back(device.address + " " + device.device_class);
  }
  EXPECT_THAT(kinds,
              ElementsAre("0000:02:00.0 network", "0000:05:00.0 storage", "0000:17:00.0 network",
                          "0000:1b:00.0 gpu", "0000:97:00.0 network", "0000:9b:00.0 gpu"))
      << "the management board's screen is left out";
}

TEST(ReadPciDevices, ReadsNumaNodeAndLinkRate) {
  const auto devices = read_pci_devices(fixture("roce-host"));
  const auto nic = std::ranges::find(devices, "0000:97:00.0", &model::PciDevice::address);
  ASSERT_NE(nic, devices.end());
  EXPECT_EQ(nic->numa_node, 1);
  EXPECT_EQ(nic->vendor, "0x15b3");
  EXPECT_NEAR(nic->link_gbyte_per_s.value_or(0), 63.0, 0.1);
}

TEST(LinkRate, FollowsTheEncodingOfEachGeneration) {
  EXPECT_NEAR(link_rate("2.5 GT/s PCIe", 16).value_or(0), 4.0, 0.001);
  EXPECT_NEAR(link_rate("8.0 GT/s PCIe", 16).value_or(0), 15.75, 0.01);
  EXPECT_NEAR(link_rate("64.0 GT/s PCIe", 16).value_or(0), 121.0, 0.1);
  EXPECT_FALSE(link_rate("Unknown", 16));
  EXPECT_FALSE(link_rate("", 16));
  EXPECT_FALSE(link_rate("-1", 16));
}

TEST(DeviceClass, KnowsGpusWithAndWithoutScreen) {
  EXPECT_EQ(device_class_of(0x030200, 0x10de), "gpu");
  EXPECT_EQ(device_class_of(0x030000, 0x10de), "gpu");
  EXPECT_EQ(device_class_of(0x020700, 0x15b3), "network");
  EXPECT_FALSE(device_class_of(0x030000, 0x1a03));
  EXPECT_FALSE(device_class_of(0x060400, 0x10de));
}

}  // namespace
}  // namespace ringwise::system
