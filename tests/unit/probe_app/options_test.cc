// The command line of ringwise-probe.
#include "app/probe/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ringwise::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ProbeOptions parse(std::vector<std::string> args) {
  const auto parsed = parse_probe_options(args);
  EXPECT_FALSE(parsed.text);
  return parsed.options;
}

std::string error_of(std::vector<std::string> args) {
  try {
    (void)parse_probe_options(args);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(ProbeOptions, DefaultsMeasureTheDefaultProbesAndTheReferenceLast) {
  const auto options = parse({});
  ASSERT_FALSE(options.probes.empty());
  EXPECT_EQ(options.probes.front(), "system");
  EXPECT_EQ(options.probes.back(), kMpiAllreduce);
  EXPECT_EQ(options.blocks, 6);
  EXPECT_FALSE(options.sizes.empty());
}

TEST(ProbeOptions, ListsAreSeparatedByCommas) {
  const auto options = parse({"--sizes", "8,4M", "--channels", "1,2", "--threads=0,4",
                              "--each-interface", "eth0,net1", "--probes", "tcp-pairs,system"});
  EXPECT_THAT(options.sizes, ElementsAre(8, 4 << 20));
  EXPECT_THAT(options.channels, ElementsAre(1, 2));
  EXPECT_THAT(options.threads, ElementsAre(0, 4));
  EXPECT_THAT(options.each_interface, ElementsAre("eth0", "net1"));
  EXPECT_THAT(options.probes, ElementsAre("system", "tcp-pairs"));
}

TEST(ProbeOptions, WrongValuesNameTheOptionAndWhatIsRight) {
  EXPECT_THAT(error_of({"--probes", "tcp-pars"}), HasSubstr("tcp-pairs"));
  EXPECT_THAT(error_of({"--sizes", "8,x"}), HasSubstr("x"));
  EXPECT_THAT(error_of({"--threads", "17"}), HasSubstr("0 to 16"));
  EXPECT_THAT(error_of({"--stage-timeout", "0"}), HasSubstr("--stage-timeout"));
  EXPECT_THAT(error_of({"--interface", "eth0", "--each-interface", "eth1"}),
              HasSubstr("exclude each other"));
  EXPECT_THAT(error_of({"--bloks", "3"}), HasSubstr("--blocks"));
  EXPECT_THAT(error_of({"--blocks", "0"}), HasSubstr("blocks"));
  EXPECT_THAT(error_of({"--stage-timeout", ""}), HasSubstr("--stage-timeout: a value is needed"));
  EXPECT_THAT(error_of({"--mode", "\xff"}), HasSubstr("is not UTF-8"));
  EXPECT_THAT(error_of({"--stage-timeout", "2s"}), HasSubstr("at least 3s"));
  EXPECT_THAT(error_of({"--sizes", "8,"}), HasSubstr("ends with a comma"));
  EXPECT_THAT(error_of({"--each-interface", "eth0,eth1,eth0"}), HasSubstr("'eth0' stands there"));
  EXPECT_THAT(error_of({"--test-corrupt", "x"}), HasSubstr("rank:N"));
  EXPECT_THAT(error_of({"-q", "-v"}), HasSubstr("excludes"));
}

TEST(ProbeOptions, AnEmptyValueIsNamedWithItsOption) {
  for (const auto* name : {"--settings", "--output", "--each-interface", "--probes", "--blocks"}) {
    const auto expected = std::string(name) + ": a value is needed, this one is empty";
    EXPECT_THAT(error_of({name, ""}), HasSubstr(expected));
    EXPECT_THAT(error_of({std::string(name) + "="}), HasSubstr(expected));
    EXPECT_THAT(error_of({name, "", "--on-busy-fabric"}), HasSubstr(expected));
  }
  EXPECT_THAT(error_of({"-o", ""}), HasSubstr("--output: a value is needed, this one is empty"));
}

TEST(ProbeOptions, SettingsThatNoProbeTriesAreRefused) {
  EXPECT_THAT(error_of({"--probes", "tcp-pairs", "--settings", "default,x.env"}),
              HasSubstr("--settings acts on tcp-allreduce"));
  EXPECT_THAT(error_of({"--settings", "default,default"}), HasSubstr("'default' stands there"));
}

TEST(ProbeOptions, StreamsThatNcclWouldCutDownAreRefused) {
  EXPECT_THAT(error_of({"--threads", "8", "--sockets", "16"}), HasSubstr("128 sockets"));
  EXPECT_THAT(error_of({"--threads", "0", "--sockets", "4"}), HasSubstr("needs helper threads"));
  EXPECT_EQ(parse({"--threads", "0,16", "--sockets", "1,4"}).sockets.size(), 2U);
}

TEST(ProbeOptions, StreamsDoNotOverrideWhatIsOnTrial) {
  EXPECT_THAT(error_of({"--settings", "default,x.env", "--threads", "1"}),
              HasSubstr("--settings excludes"));
}

TEST(ProbeOptions, HelpVersionAndListAreTexts) {
  for (const char* option : {"--help", "--version", "--list"}) {
    const std::vector<std::string> args{option};
    EXPECT_TRUE(parse_probe_options(args).text) << option;
  }
  EXPECT_THAT(list_probes(), HasSubstr("mpi-allreduce"));
}

TEST(ProbeOptions, ATrialMeasuresWhatSettingsActOn) {
  EXPECT_THAT(parse({"--settings", "default,x.env"}).probes, ElementsAre("tcp-allreduce"));
}

}  // namespace
}  // namespace ringwise::app
