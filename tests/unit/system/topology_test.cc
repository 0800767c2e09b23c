// Tests of PCIe and NUMA places.
#include "system/topology.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::IsEmpty;

TEST(ReadTopology, FallsBackToSysfsInAFixtureWithoutXml) {
  std::vector<std::string> problems;
  const auto topology = read_topology(fixture("roce-host"), problems);
  EXPECT_EQ(topology.pci.size(), 6U);
  EXPECT_EQ(topology.numa_nodes.size(), 2U);
  EXPECT_THAT(problems, IsEmpty());
}

TEST(ReadTopology, ReadsTheSavedMachine) {
  std::vector<std::string> problems;
  const auto topology = read_topology(fixture("virtio-vm"), problems);
  ASSERT_EQ(topology.numa_nodes.size(), 1U);
  EXPECT_EQ(topology.numa_nodes[0].cpus, "0-1");
  EXPECT_EQ(topology.pci.size(), 2U);
}

TEST(ReadTopology, SurvivesABrokenXml) {
  for (const std::string text : {"", "<", "<topology></topology>", "\xff\xfe garbage"}) {
    const TemporaryRoot machine;
    machine.write("/topology.xml", text);
    std::vector<std::string> problems;
    EXPECT_THAT(read_topology(machine.root(), problems).pci, IsEmpty()) << text;
  }
}

TEST(ReadTopology, FindsANumaNodeOnThisMachine) {
  std::vector<std::string> problems;
  const auto topology = read_topology(SysRoot{}, problems);
  if (topology.numa_nodes.empty()) GTEST_SKIP() << "this kernel shows no NUMA node";
  EXPECT_FALSE(topology.numa_nodes[0].cpus.empty());
}

}  // namespace
}  // namespace ringwise::system
