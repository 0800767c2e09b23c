// Tests of the mount table.
#include "system/mounts.h"

#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

TEST(ReadMounts, TakesOptionalFieldsAndEscapes) {
  const TemporaryRoot machine;
  machine.write("/proc/self/mountinfo",
                "25 24 0:23 /a\\040b /mnt/c\\134d rw,relatime shared:1 master:2 - tmpfs x rw\n"
                "garbage\n"
                "25 24 0:23 / /y rw - tmpfs\n"
                "26 24 0:24 / /z rw - cgroup cgroup rw,cpu,cpuacct\n");
  const auto mounts = read_mounts(machine.root());
  ASSERT_EQ(mounts.size(), 2U);
  EXPECT_EQ(mounts[0].root, "/a b");
  EXPECT_EQ(mounts[0].point, "/mnt/c\\d");
  EXPECT_EQ(mounts[0].type, "tmpfs");
  EXPECT_TRUE(has_option(mounts[1].super_options, "cpu"));
  EXPECT_FALSE(has_option(mounts[1].super_options, "cpus"));
}

TEST(IsPathUnder, ComparesWholeParts) {
  EXPECT_TRUE(is_path_under("/a/b", "/a"));
  EXPECT_TRUE(is_path_under("/a", "/a"));
  EXPECT_TRUE(is_path_under("/a", "/"));
  EXPECT_FALSE(is_path_under("/ab", "/a"));
  EXPECT_FALSE(is_path_under("/a", "/a/b"));
}

TEST(OptionValue, FindsTheKey) {
  EXPECT_EQ(option_value("rw,size=64k,mode=755", "size"), "64k");
  EXPECT_FALSE(option_value("rw,mode=755", "size"));
}

}  // namespace
}  // namespace ringwise::system
