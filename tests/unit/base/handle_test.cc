// Owners of descriptors and C pointers close what they own, once.
#include "base/handle.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include <gtest/gtest.h>

namespace ringwise::base {
namespace {

bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) != -1;
}

TEST(FileDescriptor, ClosesWhenDestroyed) {
  int number = -1;
  {
    const FileDescriptor fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    number = fd.get();
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(FileDescriptor, MovesItsDescriptor) {
  FileDescriptor first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int number = first.get();
  FileDescriptor second(std::move(first));
  EXPECT_EQ(second.get(), number);
  FileDescriptor third(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int replaced = third.get();
  third = std::move(second);
  EXPECT_EQ(third.get(), number);
  EXPECT_FALSE(is_open(replaced));
  EXPECT_TRUE(is_open(number));
}

TEST(FileDescriptor, ReleaseGivesItUp) {
  FileDescriptor fd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const FileDescriptor owner(fd.release());
  EXPECT_FALSE(fd.is_open());
  EXPECT_TRUE(is_open(owner.get()));
}

void count(int* calls) {
  ++*calls;
}

TEST(UniqueHandle, CallsItsFunctionOnce) {
  int calls = 0;
  { const UniqueHandle<int, count> handle(&calls); }
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace ringwise::base
