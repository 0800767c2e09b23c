// Tests of GPUs as sysfs and the driver show them.
#include "system/gpus.h"

#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

TEST(ReadGpus, TakesTheDriversList) {
  const auto gpus = read_gpus(fixture("roce-host"));
  ASSERT_EQ(gpus.size(), 2U);
  EXPECT_EQ(gpus[0].pci_address, "0000:1b:00.0");
  EXPECT_EQ(gpus[0].name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(gpus[1].numa_node, 1);
}

TEST(ReadGpus, ShowsThoseThatAContainerWasGiven) {
  const TemporaryRoot machine;
  for (const std::string address : {"0000:1b:00.0", "0000:9b:00.0"}) {
    machine.write("/sys/bus/pci/devices/" + address + "/class", "0x030200");
    machine.write("/sys/bus/pci/devices/" + address + "/vendor", "0x10de");
  }
  EXPECT_EQ(read_gpus(machine.root()).size(), 2U) << "without a driver, what is on the bus";
  machine.write("/proc/driver/nvidia/gpus/0000:9b:00.0/information", "Model: \t\t NVIDIA L4\n");
  const auto gpus = read_gpus(machine.root());
  ASSERT_EQ(gpus.size(), 1U);
  EXPECT_EQ(gpus[0].name, "NVIDIA L4");
}

TEST(ReadNvidiaDriver, FindsTheVersionInBothForms) {
  EXPECT_EQ(read_nvidia_driver(fixture("roce-host")), "570.124.06");
  const TemporaryRoot machine;
  EXPECT_FALSE(read_nvidia_driver(machine.root()));
  machine.write("/sys/module/nvidia/version", "535.104.05\n");
  EXPECT_EQ(read_nvidia_driver(machine.root()), "535.104.05");
  machine.write("/proc/driver/nvidia/version",
                "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 2024\n");
  EXPECT_EQ(read_nvidia_driver(machine.root()), "550.54.15");
}

}  // namespace
}  // namespace ringwise::system
