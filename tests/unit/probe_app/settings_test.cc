// The sets that --settings compares.
#include "app/probe/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "plan/ring_variables.h"
#include "probe/targets.h"

namespace ringwise::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(ParseSettings, ReadsWhatAShellWouldRead) {
  const auto values = parse_settings(
      "# comment\n\nNCCL_SOCKET_IFNAME==eth0\nexport NCCL_SOCKET_NTHREADS=4\r\n"
      "NCCL_DEBUG='INFO'\nRINGWISE_X=\"a b\"\n",
      "f");
  EXPECT_THAT(values, ElementsAre(Pair("NCCL_DEBUG", "INFO"), Pair("NCCL_SOCKET_IFNAME", "=eth0"),
                                  Pair("NCCL_SOCKET_NTHREADS", "4"), Pair("RINGWISE_X", "a b")));
}

TEST(ParseSettings, NamesTheLineThatIsWrong) {
  const auto message = [](const char* text) {
    try {
      (void)parse_settings(text, "my.env");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(message("NCCL_A=1\nnonsense\n"), HasSubstr("my.env:2: expected NAME=VALUE"));
  EXPECT_THAT(message("LD_PRELOAD=/tmp/x.so\n"), HasSubstr("my.env:1: only NCCL_*"));
  EXPECT_THAT(message("NCCL_A\x1b[2J=1\n"), HasSubstr("\\x1b"));
}

class LoadSettings : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    auto path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(LoadSettings, DefaultComesFirstAndEachVariableIsLeftOutOnce) {
  const auto path = write("two.env", "NCCL_SOCKET_NTHREADS=4\nNCCL_NSOCKS_PERTHREAD=2\n");
  const auto sets = load_settings({path}).sets;
  ASSERT_EQ(sets.size(), 4U);
  EXPECT_EQ(sets[0].name, "default");
  EXPECT_TRUE(sets[0].values.empty());
  EXPECT_EQ(sets[1].name, path);
  EXPECT_EQ(sets[1].values.size(), 2U);
  EXPECT_EQ(sets[2].name, path + "-NCCL_NSOCKS_PERTHREAD");
  EXPECT_THAT(sets[2].values, ElementsAre(Pair("NCCL_SOCKET_NTHREADS", "4")));
  EXPECT_EQ(sets[3].name, path + "-NCCL_SOCKET_NTHREADS");
}

TEST_F(LoadSettings, OneVariableNeedsNoSetWithoutIt) {
  EXPECT_EQ(load_settings({"default", write("one.env", "NCCL_SOCKET_NTHREADS=4\n")}).sets.size(),
            2U);
}

TEST_F(LoadSettings, AFileThatSetsNothingIsRefused) {
  EXPECT_THROW((void)load_settings({write("empty.env", "# nothing\n")}), Error);
  EXPECT_THROW((void)load_settings({"/nonexistent/nccl.env"}), Error);
}

TEST_F(LoadSettings, WhatTheRingDoesNotActOnIsNotTried) {
  const auto a = write("a.env", "NCCL_ALGO=Tree\nNCCL_SOCKET_NTHREADS=4\nNCCL_IB_DISABLE=1\n");
  const auto b = write("b.env", "NCCL_ALGO=Ring\nNCCL_MAX_NCHANNELS=1\n");
  const auto loaded = load_settings({"default", a, b});
  ASSERT_EQ(loaded.sets.size(), 3U);
  EXPECT_THAT(loaded.sets[1].values, ElementsAre(Pair("NCCL_SOCKET_NTHREADS", "4")));
  EXPECT_THAT(loaded.sets[2].values, ElementsAre(Pair("NCCL_MAX_NCHANNELS", "1")));
  EXPECT_THAT(loaded.warnings,
              ElementsAre("NCCL_ALGO: tcp-allreduce does not act on it: not tried",
                          "NCCL_IB_DISABLE: tcp-allreduce does not act on it: not tried"));
}

TEST_F(LoadSettings, AFileWithNothingThatTheRingActsOnIsRefused) {
  const auto path = write("algo.env", "NCCL_ALGO=Tree\n");
  try {
    (void)load_settings({path});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("sets nothing that tcp-allreduce acts on"));
    EXPECT_THAT(error.what(), HasSubstr("NCCL_SOCKET_IFNAME"));
  }
}

TEST(RingVariables, AreReadByTheWorker) {
  for (const auto view : plan::ring_variables()) {
    const std::string name(view);
    const bool was_set = std::getenv(name.c_str()) != nullptr;
    if (!was_set) ::setenv(name.c_str(), "1", 1);
    EXPECT_TRUE(probe::socket_environment().contains(name)) << name;
    if (!was_set) ::unsetenv(name.c_str());
  }
}

}  // namespace
}  // namespace ringwise::app
