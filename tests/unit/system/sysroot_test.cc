// Tests of reading through an injected root.
#include "system/sysroot.h"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;

TEST(SysRoot, ReadsLinesAndNumbersWithoutBlanks) {
  const TemporaryRoot machine;
  machine.write("/proc/a", "  12 \nsecond\n");
  EXPECT_EQ(machine.root().read_line("/proc/a"), "12");
  EXPECT_EQ(machine.root().read_int("/proc/a"), 12);
  EXPECT_EQ(machine.root().read("/proc/a"), "  12 \nsecond\n");
}

TEST(SysRoot, HasNoLineInAnEmptyOrMissingFile) {
  const TemporaryRoot machine;
  machine.write("/empty", "\n");
  EXPECT_FALSE(machine.root().read_line("/empty"));
  EXPECT_FALSE(machine.root().read_line("/missing"));
  EXPECT_FALSE(machine.root().read_int("/empty"));
}

TEST(SysRoot, MakesLinesShortAndSafeToPrint) {
  const TemporaryRoot machine;
  machine.write("/long", std::string(100000, 'x'));
  machine.write("/escape", "a\x1b[31mb\n");
  EXPECT_EQ(machine.root().read_line("/long")->size(), 256U);
  EXPECT_EQ(machine.root().read_line("/escape")->find('\x1b'), std::string::npos);
}

TEST(SysRoot, ReadsNoMoreThanTheLimit) {
  const TemporaryRoot machine;
  machine.write("/big", std::string(3000, 'x'));
  EXPECT_EQ(machine.root().read("/big", 1000)->size(), 1000U);
}

TEST(SysRoot, FollowsLinksInsideTheRoot) {
  const TemporaryRoot machine;
  machine.write("/sys/devices/x/speed", "10");
  machine.link("/sys/class/net/eth0", "../../devices/x");
  EXPECT_EQ(machine.root().read_int("/sys/class/net/eth0/speed"), 10);
  EXPECT_EQ(machine.root().real_path("/sys/class/net/eth0"), "/sys/devices/x");
}

TEST(SysRoot, RefusesLinksOutOfAFixture) {
  const TemporaryRoot machine;
  machine.link("/absolute", "/proc/self/status");
  machine.link("/dotted", "../../../../../../../../proc/self/status");
  EXPECT_FALSE(machine.root().read("/absolute"));
  EXPECT_FALSE(machine.root().read("/dotted"));
  EXPECT_FALSE(machine.root().read("/../../../../../../proc/self/status"));
}

TEST(SysRoot, SurvivesLoopsOfLinks) {
  const TemporaryRoot machine;
  machine.link("/a", "b");
  machine.link("/b", "a");
  machine.link("/folder/self", ".");
  EXPECT_FALSE(machine.root().read("/a"));
  EXPECT_FALSE(machine.root().exists("/a/x"));
  EXPECT_TRUE(machine.root().list("/a").empty());
  EXPECT_THAT(machine.root().list("/folder/self/self"), ElementsAre("self"));
}

TEST(SysRoot, DoesNotWaitForAPipe) {
  const TemporaryRoot machine;
  ASSERT_EQ(::mkfifo(machine.place("/proc/pipe").c_str(), 0600), 0);
  EXPECT_FALSE(machine.root().read("/proc/pipe"));
}

TEST(SysRoot, ListsNumbersByValue) {
  const TemporaryRoot machine;
  for (const char* name : {"/d/mlx5_10", "/d/mlx5_2", "/d/mlx5_0"}) machine.write(name, "");
  EXPECT_THAT(machine.root().list("/d"), ElementsAre("mlx5_0", "mlx5_2", "mlx5_10"));
}

TEST(SysRoot, NamesTheTargetOfALinkThatLeadsNowhere) {
  const TemporaryRoot machine;
  machine.link("/sys/device/driver", "../../bus/pci/drivers/mlx5_core");
  EXPECT_EQ(machine.root().link_name("/sys/device/driver"), "mlx5_core");
  EXPECT_FALSE(machine.root().link_name("/sys/device/nothing"));
}

TEST(SysRoot, IsLiveOnlyAtTheTop) {
  EXPECT_TRUE(SysRoot{}.is_live());
  EXPECT_TRUE(SysRoot{"/proc/.."}.is_live());
  EXPECT_FALSE(SysRoot{"/tmp"}.is_live());
}

}  // namespace
}  // namespace ringwise::system
