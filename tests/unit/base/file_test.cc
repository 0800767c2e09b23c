// Whole files: read with a bound, written at once or not at all.
#include "base/file.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/handle.h"

namespace ringwise::base {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 public:
  Files() { fs::create_directories(directory_); }
  ~Files() override { fs::remove_all(directory_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  Files(Files&&) = delete;
  Files& operator=(Files&&) = delete;

 protected:
  [[nodiscard]] auto entries() const {
    return std::distance(fs::directory_iterator(directory_), fs::directory_iterator());
  }

  fs::path directory_ = fs::path(testing::TempDir()) /
                        ("ringwise_files_" + std::to_string(::getpid()) + "_" +
                         testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(Files, GiveBackWhatWasWritten) {
  const std::string text = std::string(100000, 'x') + '\0' + "end";
  write_atomically(directory_ / "file", text);
  EXPECT_EQ(read_text(directory_ / "file"), text);
}

TEST_F(Files, AreReplacedAndLeaveNothingBeside) {
  write_atomically(directory_ / "file", "old and longer");
  write_atomically(directory_ / "file", "new");
  EXPECT_EQ(read_text(directory_ / "file"), "new");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, AreReadableByEveryone) {
  write_atomically(directory_ / "file", "x");
  EXPECT_EQ(fs::status(directory_ / "file").permissions(), fs::perms{0644});
}

TEST_F(Files, AreReadUpToTheLimit) {
  write_atomically(directory_ / "file", "0123456789");
  EXPECT_EQ(read_text(directory_ / "file", 4), "0123");
  EXPECT_EQ(read_text(directory_ / "file", 10), "0123456789");
}

TEST_F(Files, ThatCannotBeReadGiveNothing) {
  EXPECT_FALSE(read_text(directory_ / "absent").has_value());
  EXPECT_FALSE(read_text(directory_).has_value());
}

TEST_F(Files, ThatCannotBeWrittenAreNamedWithTheReason) {
  const fs::path path = directory_ / "absent" / "file";
  try {
    write_atomically(path, "x");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.what(), "cannot write " + path.string() + ": No such file or directory");
  }
}

TEST_F(Files, ADirectoryInTheWayLeavesNoTemporaryFile) {
  fs::create_directories(directory_ / "file" / "inside");
  EXPECT_THROW(write_atomically(directory_ / "file", "x"), Error);
  EXPECT_EQ(entries(), 1);
}

TEST(WriteAll, WritesEverythingAndThrowsOnABadDescriptor) {
  std::array<int, 2> ends{};
  check_rc(::pipe(ends.data()), "pipe");
  const FileDescriptor read_end(ends[0]);
  const FileDescriptor write_end(ends[1]);
  write_all(write_end.get(), "some text");
  std::array<char, 32> buffer{};
  const auto got = ::read(read_end.get(), buffer.data(), buffer.size());
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(got)), "some text");
  EXPECT_THROW(write_all(-1, "x"), Error);
  write_all(-1, "");
}

}  // namespace
}  // namespace ringwise::base
