// Tests of processors, NUMA nodes and memory.
#include "system/cpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ReadCpus, ReadsModelOnlineAndAllowed) {
  std::vector<std::string> problems;
  const auto cpus = read_cpus(fixture("pod-cgroup-v2"), problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_EQ(cpus.vendor, "GenuineIntel");
  EXPECT_EQ(cpus.model, "Intel(R) Xeon(R) Platinum 8480C");
  EXPECT_EQ(cpus.online, 224);
  EXPECT_EQ(cpus.allowed, "0-7");
  EXPECT_EQ(cpus.allowed_count, 8);
}

TEST(ReadCpus, KnowsTheAffinityOfThisThread) {
  std::vector<std::string> problems;
  const auto cpus = read_cpus(SysRoot{}, problems);
  ASSERT_TRUE(cpus.allowed_count);
  EXPECT_GE(*cpus.allowed_count, 1);
}

TEST(ReadCpus, NamesAnArmImplementer) {
  const TemporaryRoot machine;
  machine.write("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n");
  std::vector<std::string> problems;
  EXPECT_EQ(read_cpus(machine.root(), problems).vendor, "0x41");
}

TEST(ReadCpus, LeavesGarbageAbsent) {
  const TemporaryRoot machine;
  machine.write("/sys/devices/system/cpu/online", "many");
  machine.write("/proc/self/status", "Cpus_allowed_list:\tall\n");
  std::vector<std::string> problems;
  const auto cpus = read_cpus(machine.root(), problems);
  EXPECT_FALSE(cpus.online);
  EXPECT_FALSE(cpus.allowed);
  EXPECT_FALSE(cpus.allowed_count);
  EXPECT_THAT(problems, SizeIs(2));
}

TEST(ReadNumaNodes, ReadsCpusAndMemory) {
  const auto nodes = read_numa_nodes(fixture("roce-host"));
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[1].node, 1);
  EXPECT_EQ(nodes[1].cpus, "56-111,168-223");
  EXPECT_EQ(nodes[1].memory_bytes, std::uint64_t{1056765000} * 1024);
}

TEST(ReadMemory, ReadsTotalAndAvailable) {
  std::vector<std::string> problems;
  const auto memory = read_memory(fixture("roce-host"), problems);
  EXPECT_EQ(memory.total_bytes, std::uint64_t{2113465000} * 1024);
  EXPECT_EQ(memory.available_bytes, std::uint64_t{1056732500} * 1024);
}

TEST(ReadMemory, RefusesNumbersThatDoNotFit) {
  const TemporaryRoot machine;
  machine.write("/proc/meminfo", "MemTotal: 99999999999999999999 kB\nMemAvailable: -4 kB\n");
  std::vector<std::string> problems;
  const auto memory = read_memory(machine.root(), problems);
  EXPECT_FALSE(memory.total_bytes);
  EXPECT_FALSE(memory.available_bytes);
  EXPECT_THAT(problems, SizeIs(1));
}

}  // namespace
}  // namespace ringwise::system
