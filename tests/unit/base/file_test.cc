// Whole files: read with a bound, written at once or not at all.
#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>

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
  write_all(write_end.get(), "some text", "pipe");
  std::array<char, 32> buffer{};
  const auto got = ::read(read_end.get(), buffer.data(), buffer.size());
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(got)), "some text");
  write_all(-1, "", "file");
  try {
    write_all(-1, "x", "a/file");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kSystem);
    EXPECT_STREQ(error.what(), "cannot write a/file: Bad file descriptor");
  }
}

TEST(WriteAll, NamesTheFileOfAFullDisk) {
  const FileDescriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!full.is_open()) GTEST_SKIP() << "no /dev/full here";
  try {
    write_all(full.get(), "x", "run.json.rank3.journal");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "cannot write run.json.rank3.journal: No space left on device");
  }
}

class Inputs : public Files {
 protected:
  static constexpr InputOptions kNoWaiting{
      .named_by = "--input", .for_a_writer = {}, .for_more = {}};

  [[nodiscard]] static std::string error_of(const fs::path& path) {
    try {
      (void)read_input(path, kNoWaiting);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "no error";
  }
};

TEST_F(Inputs, AreFiles) {
  write_atomically(directory_ / "file", "0123456789");
  EXPECT_EQ(read_input(directory_ / "file"), "0123456789");
  EXPECT_EQ(read_input(directory_ / "file", {.limit = 4}), "0123");
  write_atomically(directory_ / "empty", "");
  EXPECT_EQ(read_input(directory_ / "empty"), "");
}

TEST_F(Inputs, ThatCannotBeReadAreNamedWithTheReason) {
  EXPECT_EQ(error_of(directory_ / "absent"),
            "--input: " + (directory_ / "absent").string() + ": No such file or directory");
  EXPECT_THAT(error_of(directory_), testing::HasSubstr("Is a directory"));
  EXPECT_EQ(error_of("/dev/null"), "--input: /dev/null: neither a file nor a pipe");
}

TEST_F(Inputs, APipeThatNobodyWritesToIsAnErrorAndNoHang) {
  const auto path = directory_ / "pipe";
  check_rc(::mkfifo(path.c_str(), 0600), "mkfifo");
  EXPECT_THAT(error_of(path), testing::HasSubstr("a pipe that nobody has written to for 0 s"));
  EXPECT_FALSE(read_text(path).has_value());
}

TEST_F(Inputs, APipeIsReadToItsEnd) {
  std::array<int, 2> ends{};
  check_rc(::pipe(ends.data()), "pipe");
  const FileDescriptor read_end(ends[0]);
  const std::string name = "/dev/fd/" + std::to_string(read_end.get());
  const std::string text(40000, 'x');
  {
    const FileDescriptor write_end(ends[1]);
    write_all(write_end.get(), text, "pipe");
    EXPECT_EQ(error_of(name), "--input: " + name + ": a pipe from which nothing came for 0 s");
    write_all(write_end.get(), text, "pipe");
  }
  EXPECT_EQ(read_input(name, kNoWaiting), text);
  EXPECT_EQ(read_input(name, kNoWaiting), "");
}

TEST_F(Inputs, APipeWithASlowWriterIsWaitedFor) {
  const auto path = directory_ / "pipe";
  check_rc(::mkfifo(path.c_str(), 0600), "mkfifo");
  std::thread writer([&] {
    const FileDescriptor end(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    write_all(end.get(), "some text", path);
  });
  EXPECT_EQ(read_input(path, {.for_a_writer = std::chrono::minutes(1)}), "some text");
  writer.join();
}

}  // namespace
}  // namespace ringwise::base
