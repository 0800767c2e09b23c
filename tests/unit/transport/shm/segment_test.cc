#include "transport/shm/segment.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/handle.h"

namespace ringwise::transport::shm {
namespace {

std::string unique(const std::string& what) {
  return "ringwise-test-" + what + "-" + std::to_string(getpid());
}

bool exists(const std::string& name) {
  return std::filesystem::exists("/dev/shm/" + name);
}

TEST(Segment, IsSharedWithWhoAttaches) {
  const auto name = unique("shared");
  const Segment made = Segment::create(name, 8192);
  const Segment attached = Segment::attach(name, 8192);
  made.data()[8191] = std::byte{7};
  EXPECT_EQ(attached.data()[8191], std::byte{7});
  EXPECT_EQ(attached.data()[0], std::byte{0});
}

TEST(Segment, IsForThisUserOnly) {
  const auto name = unique("mode");
  const Segment made = Segment::create(name, 4096);
  struct stat status {};
  ASSERT_EQ(stat(("/dev/shm/" + name).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(Segment, LosesItsNameAndKeepsItsMemory) {
  const auto name = unique("unlink");
  Segment made = Segment::create(name, 4096);
  EXPECT_TRUE(exists(name));
  made.unlink();
  EXPECT_FALSE(exists(name));
  made.data()[0] = std::byte{1};
}

TEST(Segment, TakesItsNameAwayWhenItEnds) {
  const auto name = unique("end");
  { const Segment made = Segment::create(name, 4096); }
  EXPECT_FALSE(exists(name));
}

TEST(Segment, ReplacesOneThatAKilledWorkerLeft) {
  const auto name = unique("left");
  { const base::FileDescriptor fd(shm_open(("/" + name).c_str(), O_CREAT | O_RDWR, 0600)); }
  const Segment made = Segment::create(name, 4096);
  EXPECT_NE(made.data(), nullptr);
}

TEST(Segment, SaysWhatIsFreeWhenThereIsNoRoom) {
  const auto name = unique("room");
  try {
    (void)Segment::create(name, std::size_t{1} << 50);
    FAIL() << "made it";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRefused);
    EXPECT_THAT(error.what(), testing::StartsWith("/dev/shm has no room for the 1024 TiB of "
                                                  "shared memory that this rank needs: "));
    EXPECT_THAT(error.what(), testing::EndsWith(" are free"));
  }
  EXPECT_FALSE(exists(name));
}

TEST(Segment, SaysWhenAnotherRanksIsNotThere) {
  EXPECT_THROW((void)Segment::attach(unique("absent"), 4096), Error);
  const auto name = unique("size");
  const Segment made = Segment::create(name, 4096);
  EXPECT_THROW((void)Segment::attach(name, 8192), Error);
}

TEST(RemoveLeftovers, TakesOnlyOldOnesWithOurPrefix) {
  const auto old = unique("old");
  const auto young = unique("young");
  const std::string foreign = "other-" + old;
  for (const auto& name : {old, young, foreign}) {
    const base::FileDescriptor fd(shm_open(("/" + name).c_str(), O_CREAT | O_RDWR, 0600));
    const timespec times[2] = {{1000, 0}, {1000, 0}};
    if (name != young) {
      ASSERT_EQ(futimens(fd.get(), times), 0);
    }
  }
  remove_leftovers();
  EXPECT_FALSE(exists(old));
  EXPECT_TRUE(exists(young));
  EXPECT_TRUE(exists(foreign));
  shm_unlink(("/" + young).c_str());
  shm_unlink(("/" + foreign).c_str());
}

}  // namespace
}  // namespace ringwise::transport::shm
