// The checks that turn return codes into errors.
#include "base/error.h"

#include <cerrno>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::base {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct Caught {
  ErrorKind kind = ErrorKind::kInternal;
  std::string text = "nothing was thrown";
};

template <typename Call>
Caught catch_error(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {};
}

int fail_with(int error_number) {
  errno = error_number;
  return -1;
}

TEST(CheckRc, ReturnsWhatIsNotNegative) {
  EXPECT_EQ(check_rc(0, "call"), 0);
  EXPECT_EQ(check_rc(7, "call"), 7);
}

TEST(CheckRc, NamesTheCallTheCauseAndTheCaller) {
  const Caught caught = catch_error([] { check_rc(fail_with(ENOENT), "open(run.json)"); });
  EXPECT_EQ(caught.kind, ErrorKind::kSystem);
  EXPECT_THAT(caught.text, AllOf(StartsWith("open(run.json): No such file or directory ["),
                                 HasSubstr("[error_test.cc:")));
}

TEST(CheckRc, MakesMissingPermissionARefusal) {
  for (const int refused : {EACCES, EPERM}) {
    EXPECT_EQ(catch_error([&] { check_rc(fail_with(refused), "call"); }).kind, ErrorKind::kRefused);
  }
}

TEST(CheckCode, TakesTheErrorNumberFromTheReturnValue) {
  errno = EBADF;
  check_code(0, "pthread_create");
  EXPECT_THAT(catch_error([] { check_code(EAGAIN, "pthread_create"); }).text,
              StartsWith("pthread_create: Resource temporarily unavailable"));
}

TEST(CheckPtr, ReturnsThePointerOrThrows) {
  int value = 3;
  EXPECT_EQ(check_ptr(&value, "call"), &value);
  errno = ENOMEM;
  EXPECT_THAT(catch_error([] { check_ptr(static_cast<int*>(nullptr), "mmap"); }).text,
              StartsWith("mmap: Cannot allocate memory"));
}

TEST(PlacedError, CarriesItsPlace) {
  const PlacedError error(ErrorKind::kTimeout, "no answer",
                          {.peer = 2, .interface = "eth0", .step = "connect"});
  EXPECT_EQ(error.kind(), ErrorKind::kTimeout);
  EXPECT_EQ(error.place().peer, 2);
  EXPECT_EQ(error.place().interface, "eth0");
  EXPECT_EQ(error.place().step, "connect");
  EXPECT_STREQ(error.what(), "no answer");
}

TEST(ErrnoText, HasATextForEveryNumber) {
  EXPECT_EQ(errno_text(ENOSPC), "No space left on device");
  EXPECT_EQ(errno_text(99999), "Unknown error 99999");
}

}  // namespace
}  // namespace ringwise::base
