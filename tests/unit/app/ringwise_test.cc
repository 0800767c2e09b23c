// Tests of `ringwise` as a whole: its commands, help and refusals.
#include <gmock/gmock.h>

#include "app/commands/command.h"
#include "base/error.h"

namespace ringwise::app {
namespace {

using ::testing::HasSubstr;

Outcome run(std::vector<std::string> args) {
  return run_ringwise(args);
}

std::string refusal(std::vector<std::string> args) {
  try {
    run(std::move(args));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "nothing was refused";
}

TEST(Ringwise, SaysWhatToDoNextWithoutArguments) {
  const auto outcome = run({});
  EXPECT_EQ(outcome.code, ExitCode::kOk);
  EXPECT_THAT(outcome.out, HasSubstr("mpirun"));
}

TEST(Ringwise, ListsEveryCommandInItsHelp) {
  for (const auto& command : commands()) {
    EXPECT_THAT(run({"--help"}).out, HasSubstr(std::string(command.summary)));
  }
}

TEST(Ringwise, GivesEveryCommandAPurposeAnExampleAndExitCodes) {
  for (const auto& command : commands()) {
    const auto text = run({std::string(command.name), "--help"}).out;
    EXPECT_THAT(text, HasSubstr("Example:\n  ringwise " + std::string(command.name)));
    EXPECT_THAT(text, HasSubstr(exit_codes_help()));
    EXPECT_EQ(run({"help", std::string(command.name)}).out, text);
  }
}

TEST(Ringwise, PrintsItsVersion) {
  EXPECT_THAT(run({"--version"}).out, HasSubstr("ringwise 0."));
}

TEST(Ringwise, NamesTheNearestCommand) {
  EXPECT_THAT(refusal({"reprot"}), HasSubstr("'reprot' is no command; report?"));
}

TEST(Ringwise, NamesTheNearestOption) {
  EXPECT_THAT(refusal({"report", "--fromat", "md", "run.json"}),
              HasSubstr("--fromat is no option of ringwise report; --format?"));
}

TEST(Ringwise, NamesTheFileThatCannotBeRead) {
  EXPECT_THAT(refusal({"report", "/nowhere/run.json"}), HasSubstr("/nowhere/run.json"));
}

TEST(Ringwise, NeedsARun) {
  EXPECT_THAT(refusal({"report"}), HasSubstr("RUN"));
}

}  // namespace
}  // namespace ringwise::app
