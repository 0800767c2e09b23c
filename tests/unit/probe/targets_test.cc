// Which interfaces a stage takes, and what it says of the environment.
#include "probe/targets.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::probe {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::vector<model::Interface> loopback() {
  model::Interface lo;
  lo.name = "lo";
  lo.is_up = lo.is_running = lo.is_loopback = true;
  lo.addresses = {{.family = "inet", .address = "127.0.0.1", .scope = "host"}};
  return {lo};
}

/// A variable of this process for the time of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  Variable(Variable&&) = delete;
  Variable& operator=(Variable&&) = delete;

 private:
  const char* name_;
};

TEST(SelectForIntroduction, IgnoresAnUnknownFamilyWithAndWithoutAnOption) {
  const Variable family("NCCL_SOCKET_FAMILY", "AF_BOGUS");
  for (const auto& option : {std::optional<std::string>("=lo"), std::optional<std::string>()}) {
    const auto selection = select_for_introduction(loopback(), option, {});
    EXPECT_EQ(selection.error, "");
    EXPECT_THAT(selection.interfaces, testing::ElementsAre("lo"));
    EXPECT_THAT(selection.families, testing::ElementsAre("inet"));
    EXPECT_THAT(selection.notes, Contains(HasSubstr("NCCL_SOCKET_FAMILY=AF_BOGUS is ignored")));
  }
}

TEST(SelectForIntroduction, SaysHowNcclReadsTheNumbers) {
  const Variable threads("NCCL_SOCKET_NTHREADS", "99");
  const Variable channels("NCCL_MAX_NCHANNELS", "0");
  const auto selection = select_for_introduction(loopback(), "=lo", {});
  EXPECT_THAT(selection.notes, Contains(HasSubstr("at most 16 socket threads, not 99")));
  EXPECT_THAT(selection.notes, Contains("NCCL_MAX_NCHANNELS=0 is taken as 1 channel at least"));
}

}  // namespace
}  // namespace ringwise::probe
