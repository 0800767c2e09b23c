// Tests of control groups, both versions, in and out of namespaces.
#include "system/cgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;

constexpr const char* kVersion2 = "30 1 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";

TEST(Cgroup, ReadsTheQuotaAndThrottlingOfAPod) {
  model::Cpus cpus;
  add_cgroup_cpu(fixture("pod-cgroup-v2"), cpus);
  EXPECT_EQ(cpus.cgroup_version, 2);
  EXPECT_EQ(cpus.quota_cpus, 4.0);
  EXPECT_EQ(cpus.cpuset, "0-7");
  EXPECT_EQ(cpus.throttled_us, 2345678U);
  EXPECT_EQ(read_throttled_us(fixture("pod-cgroup-v2")), 2345678U);
}

TEST(Cgroup, ReadsMemoryOfAPod) {
  model::Memory memory;
  add_cgroup_memory(fixture("pod-cgroup-v2"), memory);
  EXPECT_EQ(memory.cgroup_limit_bytes, std::uint64_t{16} << 30U);
  EXPECT_EQ(memory.cgroup_used_bytes, std::uint64_t{1} << 30U);
  EXPECT_EQ(memory.oom_kills, 1U);
}

TEST(Cgroup, ReadsVersion1ThroughTheBindMountOfAContainer) {
  const auto root = fixture("cgroup-v1");
  model::Cpus cpus;
  model::Memory memory;
  add_cgroup_cpu(root, cpus);
  add_cgroup_memory(root, memory);
  EXPECT_EQ(cpus.cgroup_version, 1);
  EXPECT_EQ(cpus.quota_cpus, 1.5);
  EXPECT_EQ(cpus.cpuset, "0-3");
  EXPECT_EQ(cpus.throttled_us, 412345U) << "nanoseconds in the file";
  EXPECT_EQ(memory.cgroup_limit_bytes, std::uint64_t{4} << 30U);
  EXPECT_EQ(memory.cgroup_used_bytes, 104857600U);
  EXPECT_EQ(memory.oom_kills, 4U);
}

TEST(Cgroup, TakesTheSmallestLimitOfTheVisibleAncestorsAndItsUse) {
  const auto root = fixture("virtio-vm");
  model::Memory memory;
  add_cgroup_memory(root, memory);
  EXPECT_EQ(memory.cgroup_limit_bytes, std::uint64_t{2} << 30U);
  EXPECT_EQ(find_cgroup(root, "memory")->levels.front(), "/sys/fs/cgroup/memory/jobs/job1");
  const auto used = root.read_int("/sys/fs/cgroup/memory/jobs/memory.usage_in_bytes");
  EXPECT_EQ(memory.cgroup_used_bytes, static_cast<std::uint64_t>(used.value_or(0)));
}

TEST(Cgroup, HasNoLimitWhereNoneIsSet) {
  model::Cpus cpus;
  model::Memory memory;
  add_cgroup_cpu(fixture("roce-host"), cpus);
  add_cgroup_memory(fixture("roce-host"), memory);
  EXPECT_EQ(cpus.cgroup_version, 2);
  EXPECT_FALSE(cpus.quota_cpus);
  EXPECT_EQ(cpus.cpuset, "0-223") << "from the nearest ancestor that has the controller";
  EXPECT_EQ(cpus.throttled_us, 0U);
  EXPECT_FALSE(memory.cgroup_limit_bytes);
  EXPECT_EQ(memory.cgroup_used_bytes, 123456789U);
  EXPECT_EQ(memory.oom_kills, 0U);
}

TEST(Cgroup, ListsOwnGroupFirst) {
  EXPECT_THAT(find_cgroup(fixture("roce-host"), "cpu")->levels,
              ElementsAre("/sys/fs/cgroup/user.slice/user-1000.slice/session-4.scope",
                          "/sys/fs/cgroup/user.slice/user-1000.slice", "/sys/fs/cgroup/user.slice",
                          "/sys/fs/cgroup"));
}

TEST(Cgroup, AddsUpThrottlingOfAllLevels) {
  const TemporaryRoot machine;
  machine.write("/proc/self/cgroup", "0::/a/b\n");
  machine.write("/proc/self/mountinfo", kVersion2);
  machine.write("/sys/fs/cgroup/a/cpu.stat", "throttled_usec 10\n");
  machine.write("/sys/fs/cgroup/a/b/cpu.stat", "throttled_usec 3\n");
  machine.write("/sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  machine.write("/sys/fs/cgroup/a/b/cpu.max", "200000 100000\n");
  EXPECT_EQ(read_throttled_us(machine.root()), 13U);
  model::Cpus cpus;
  add_cgroup_cpu(machine.root(), cpus);
  EXPECT_EQ(cpus.quota_cpus, 0.5);
}

TEST(Cgroup, KnowsNothingOfAGroupOutsideItsNamespace) {
  const TemporaryRoot machine;
  machine.write("/proc/self/cgroup", "0::/../other\n");
  machine.write("/proc/self/mountinfo", kVersion2);
  machine.write("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  machine.write("/other/cpu.max", "50000 100000\n");
  EXPECT_FALSE(find_cgroup(machine.root(), "cpu"));
  EXPECT_FALSE(read_throttled_us(machine.root()));
}

TEST(Cgroup, ClimbsFromAFolderThatIsNotVisible) {
  const TemporaryRoot machine;
  machine.write("/proc/self/cgroup", "0::/kubepods/pod1/gone\n");
  machine.write("/proc/self/mountinfo", kVersion2);
  machine.write("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_THAT(find_cgroup(machine.root(), "cpu")->levels, ElementsAre("/sys/fs/cgroup"));
}

TEST(Cgroup, PrefersTheVersionThatHasTheController) {
  const TemporaryRoot machine;
  machine.write("/proc/self/cgroup", "4:cpu,cpuacct:/x\n0::/y\n");
  machine.write("/proc/self/mountinfo",
                "30 1 0:1 / /c1 rw - cgroup cgroup rw,cpu,cpuacct\n"
                "31 1 0:2 / /c2 rw - cgroup2 cgroup2 rw\n");
  machine.write("/c1/x/cpu.stat", "throttled_time 5000\n");
  machine.write("/c2/y/memory.max", "1000\n");
  EXPECT_EQ(find_cgroup(machine.root(), "cpu")->version, 1);
  EXPECT_EQ(find_cgroup(machine.root(), "memory")->version, 2);
}

TEST(Cgroup, IsAbsentWithoutMountsOrFiles) {
  const TemporaryRoot machine;
  EXPECT_FALSE(find_cgroup(machine.root(), "cpu"));
  machine.write("/proc/self/cgroup", "\x01garbage\n::::\n");
  EXPECT_FALSE(find_cgroup(machine.root(), "cpu"));
}

TEST(ReadCpuSeconds, DoesNotShrink) {
  const double before = read_cpu_seconds();
  EXPECT_GE(before, 0);
  EXPECT_GE(read_cpu_seconds(), before);
}

}  // namespace
}  // namespace ringwise::system
