// Tests of /dev/shm.
#include "system/shm.h"

#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

TEST(ReadSharedMemory, ReadsTheSizeOfAContainersMount) {
  const auto shm = read_shared_memory(fixture("pod-cgroup-v2"));
  EXPECT_EQ(shm.type, "tmpfs");
  EXPECT_EQ(shm.size_bytes, std::uint64_t{64} << 20U);
  EXPECT_FALSE(shm.used_bytes);
  EXPECT_FALSE(shm.reason);
}

TEST(ReadSharedMemory, TakesTheLastOfTwoMounts) {
  const TemporaryRoot machine;
  machine.write("/proc/self/mountinfo",
                "1 0 0:1 / / rw - ext4 root rw\n"
                "2 1 0:2 / /dev/shm rw - tmpfs shm rw,size=65536k\n"
                "3 2 0:3 / /dev/shm rw - tmpfs shm rw,size=8g\n");
  EXPECT_EQ(read_shared_memory(machine.root()).size_bytes, std::uint64_t{8} << 30U);
}

TEST(ReadSharedMemory, SaysWhyASizeIsAbsent) {
  const TemporaryRoot machine;
  EXPECT_TRUE(read_shared_memory(machine.root()).reason);
  machine.write("/proc/self/mountinfo", "1 0 0:1 / / rw - ext4 root rw\n");
  const auto on_root = read_shared_memory(machine.root());
  EXPECT_EQ(on_root.type, "ext4");
  EXPECT_EQ(on_root.reason, "/dev/shm is no mount of its own");
  machine.write("/proc/self/mountinfo", "1 0 0:1 / /dev/shm rw - tmpfs x rw,size=50%\n");
  EXPECT_TRUE(read_shared_memory(machine.root()).reason);
}

TEST(ReadSharedMemory, IsKnownOrHasAReasonOnThisMachine) {
  const auto shm = read_shared_memory(SysRoot{});
  EXPECT_TRUE(shm.size_bytes || shm.reason);
}

}  // namespace
}  // namespace ringwise::system
