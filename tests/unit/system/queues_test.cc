// Tests of queues and interrupts of an interface.
#include "system/queues.h"

#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

model::Interface queues_of(const SysRoot& root, const std::string& name,
                           std::optional<std::string> pci_address) {
  model::Interface facts;
  facts.name = name;
  facts.pci_address = std::move(pci_address);
  add_queues(root, "/sys/class/net/" + name, facts);
  return facts;
}

TEST(AddQueues, CountsQueuesAndJoinsTheProcessorsOfAllInterrupts) {
  const auto nic = queues_of(fixture("roce-host"), "ens1f0np0", "0000:17:00.0");
  EXPECT_EQ(nic.rx_queues, 4);
  EXPECT_EQ(nic.tx_queues, 2);
  EXPECT_EQ(nic.irq_cpus, "0-5,16") << "one interrupt has no readable list";
}

TEST(AddQueues, WhatIsNotThereIsAbsent) {
  const auto nic = queues_of(fixture("roce-host"), "eno1", "0000:02:00.0");
  EXPECT_FALSE(nic.rx_queues);
  EXPECT_FALSE(nic.tx_queues);
  EXPECT_FALSE(nic.irq_cpus);
}

TEST(AddQueues, LooksForInterruptsOfAVirtioDeviceAtItsPciDevice) {
  const TemporaryRoot machine;
  machine.write("/sys/class/net/eth0/device/vendor", "0x1af4");
  machine.write("/sys/bus/pci/devices/0000:00:03.0/msi_irqs/24", "msix");
  machine.write("/proc/irq/24/smp_affinity_list", "1,3");
  EXPECT_EQ(queues_of(machine.root(), "eth0", "0000:00:03.0").irq_cpus, "1,3");
}

TEST(AddQueues, BadListsOfProcessorsAreLeftOut) {
  const TemporaryRoot machine;
  machine.write("/sys/class/net/eth0/device/msi_irqs/24", "msix");
  machine.write("/sys/class/net/eth0/device/msi_irqs/25", "msix");
  machine.write("/proc/irq/24/smp_affinity_list", "all of them");
  machine.write("/proc/irq/25/smp_affinity_list", "9-1");
  EXPECT_FALSE(queues_of(machine.root(), "eth0", "0000:00:03.0").irq_cpus);
}

}  // namespace
}  // namespace ringwise::system
