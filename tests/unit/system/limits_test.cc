// Tests of resource limits.
#include "system/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ReadLimits, TellsUnlimitedFromANumber) {
  std::vector<std::string> problems;
  const auto host = read_limits(fixture("roce-host"), problems);
  EXPECT_TRUE(host.is_memlock_unlimited);
  EXPECT_FALSE(host.memlock_soft_bytes);
  EXPECT_FALSE(host.processes) << "unlimited";
  EXPECT_EQ(host.open_files, 1048576U);
  const auto pod = read_limits(fixture("pod-cgroup-v2"), problems);
  EXPECT_FALSE(pod.is_memlock_unlimited);
  EXPECT_EQ(pod.memlock_soft_bytes, 65536U);
  EXPECT_EQ(pod.memlock_hard_bytes, 65536U);
  EXPECT_EQ(pod.effective_capabilities, "00000000a80425fb");
  EXPECT_THAT(problems, IsEmpty());
}

TEST(ReadLimits, KnowsAHardLimitThatIsHigher) {
  std::vector<std::string> problems;
  const auto limits = read_limits(fixture("infiniband-host"), problems);
  EXPECT_EQ(limits.memlock_soft_bytes, 65536U);
  EXPECT_FALSE(limits.memlock_hard_bytes) << "unlimited";
}

TEST(ReadLimits, TellsUnknownFromUnlimited) {
  const TemporaryRoot machine;
  std::vector<std::string> problems;
  auto limits = read_limits(machine.root(), problems);
  EXPECT_FALSE(limits.is_memlock_unlimited);
  EXPECT_FALSE(limits.memlock_soft_bytes);
  EXPECT_THAT(problems, SizeIs(1));
  machine.write("/proc/self/limits", "Max locked memory  64k  lots  bytes\n");
  machine.write("/proc/self/status", "CapEff:\tno hex\n");
  limits = read_limits(machine.root(), problems);
  EXPECT_FALSE(limits.memlock_soft_bytes);
  EXPECT_FALSE(limits.effective_capabilities);
  EXPECT_THAT(problems, SizeIs(2));
}

TEST(ReadLimits, ReadsThisProcess) {
  std::vector<std::string> problems;
  const auto limits = read_limits(SysRoot{}, problems);
  EXPECT_TRUE(limits.is_memlock_unlimited || limits.memlock_soft_bytes);
  EXPECT_TRUE(limits.effective_capabilities);
}

}  // namespace
}  // namespace ringwise::system
