// Tests of the one place where failures become exit codes.
#include "app/guarded_main.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/handle.h"

namespace ringwise::app {
namespace {

using ::testing::HasSubstr;

constexpr std::array<const char*, 1> kArgv{"/usr/bin/ringwise-x"};

struct Ended {
  int code = 0;
  std::string err;
};

Ended end_of(const std::function<int()>& body) {
  ::testing::internal::CaptureStderr();
  const int code = guarded_main(1, kArgv.data(), body);
  return {code, ::testing::internal::GetCapturedStderr()};
}

TEST(GuardedMain, ReturnsTheBodysCode) {
  EXPECT_EQ(end_of([] { return 77; }).code, 77);
}

TEST(GuardedMain, SaysAnErrorInOneLineAndChoosesItsCode) {
  const auto ended = end_of([]() -> int { throw Error(ErrorKind::kRefused, "no\nway"); });
  EXPECT_EQ(ended.code, 4);
  EXPECT_EQ(ended.err, "ringwise-x: error: no\\x0away\n");
}

TEST(GuardedMain, CallsAForeignExceptionAnInternalError) {
  const auto ended = end_of([]() -> int { throw std::runtime_error("boom"); });
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.err, "ringwise-x: error: internal error: boom\n");
  EXPECT_THAT(end_of([]() -> int { throw 7; }).err, HasSubstr("internal error"));
}

TEST(GuardedMain, NamesTheProgram) {
  EXPECT_EQ(program_name(0, nullptr), "ringwise");
  EXPECT_EQ(program_name(1, kArgv.data()), "ringwise-x");
}

/// Standard output replaced by `fd` while it lives.
class StandardOutput {
 public:
  explicit StandardOutput(int fd) : saved_(base::check_rc(dup(STDOUT_FILENO), "dup")) {
    base::check_rc(dup2(fd, STDOUT_FILENO), "dup2");
  }
  ~StandardOutput() { dup2(saved_.get(), STDOUT_FILENO); }
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  StandardOutput(StandardOutput&&) = delete;
  StandardOutput& operator=(StandardOutput&&) = delete;

 private:
  base::FileDescriptor saved_;
};

TEST(WriteData, DropsTheTextWhenTheReaderIsGone) {
  std::array<int, 2> ends{};
  base::check_rc(pipe2(ends.data(), O_CLOEXEC), "pipe2");
  base::FileDescriptor reader(ends[0]);
  const base::FileDescriptor writer(ends[1]);
  reader.reset();
  const StandardOutput output(writer.get());
  EXPECT_NO_THROW(write_data("text\n"));
}

TEST(WriteData, NamesAFullDisk) {
  const base::FileDescriptor full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!full.is_open()) GTEST_SKIP() << "this machine has no /dev/full";
  const StandardOutput output(full.get());
  try {
    write_data("text\n");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("No space left on device"));
  }
}

}  // namespace
}  // namespace ringwise::app
