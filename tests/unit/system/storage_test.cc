// Tests of what is said of the working directory's file system.
#include "system/storage.h"

#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

TEST(ReadStorage, IsNotGuessedForAFixture) {
  EXPECT_FALSE(read_storage(fixture("pod-cgroup-v2")));
}

TEST(ReadStorage, HasTypeAndSizeOrAReasonOnThisMachine) {
  const auto storage = read_storage(SysRoot{});
  ASSERT_TRUE(storage);
  EXPECT_TRUE((storage->type && storage->size_bytes && storage->free_bytes) || storage->reason);
}

}  // namespace
}  // namespace ringwise::system
