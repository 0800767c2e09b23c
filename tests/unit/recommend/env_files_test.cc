// Tests of nccl.env and nccl.conf.
#include "recommend/env_files.h"

#include <array>
#include <cstdio>
#include <memory>

#include <gmock/gmock.h>

#include "base/units.h"
#include "run_builder.h"

namespace ringwise::recommend::test {
namespace {

using ::testing::HasSubstr;

model::Advice setting(const std::string& name, const std::string& value,
                      model::AdviceState state = model::AdviceState::kPredicted) {
  model::Advice advice;
  advice.name = name;
  advice.value = value;
  advice.where = "env";
  advice.state = state;
  advice.reason = "two\nlines";
  return advice;
}

/// What `sh` has in `name` after it has read `text`.
std::string sourced(const std::string& text, const std::string& name) {
  const auto command = "set -a\n" + text + "\nset +a\nprintenv " + name;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen(("sh -c " + shell_quoted(command)).c_str(), "r"), pclose);
  std::string out;
  std::array<char, 256> part{};
  while (fgets(part.data(), part.size(), pipe.get()) != nullptr) out += part.data();
  return out;
}

TEST(EnvFiles, AreReadBackByAShellAsTheyWereMeant) {
  for (const std::string value :
       {"=eth0,ens5", "^docker", "a b", "it's", "$HOME `x` \\", "#1", "~"}) {
    const auto files = env_files({setting("NCCL_X", value)}, {}, "run.json");
    EXPECT_EQ(sourced(files[0].text, "NCCL_X"), value + "\n");
  }
}

TEST(EnvFiles, WriteNcclConfAsNcclReadsIt) {
  const auto files = env_files({setting("NCCL_SOCKET_IFNAME", "=eth0")}, {}, "run.json");
  ASSERT_EQ(files[1].name, "nccl.conf");
  for (const auto& line : base::split(files[1].text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    EXPECT_EQ(line, "NCCL_SOCKET_IFNAME==eth0");
  }
}

TEST(EnvFiles, NeverWriteWhatIsUnsetOrDropped) {
  auto unset = setting("NCCL_A", "1", model::AdviceState::kUnset);
  const auto dropped = setting("NCCL_B", "1", model::AdviceState::kDropped);
  for (const auto& file : env_files({unset, dropped}, {}, "run.json")) {
    EXPECT_THAT(file.text, HasSubstr("# Nothing to set"));
    EXPECT_THAT(file.text, ::testing::Not(HasSubstr("NCCL_B")));
  }
}

TEST(EnvFiles, LetNoOtherVariableAndNoLineBreakThrough) {
  const auto files = env_files({setting("LD_PRELOAD", "/x.so"), setting("NCCL_A;reboot", "1"),
                                setting("NCCL_B", "1\nNCCL_C=2"), setting("NCCL_D", "ok")},
                               {}, "run\nNCCL_E=1");
  for (const auto& file : files) {
    for (const auto& line : base::split(file.text, '\n')) {
      EXPECT_TRUE(line.empty() || line.front() == '#' || line == "NCCL_D=ok") << line;
    }
  }
}

TEST(EnvFiles, GiveEachHostItsOwnFileWhereValuesDiffer) {
  auto advice = setting("NCCL_SOCKET_IFNAME", "");
  advice.value.reset();
  advice.per_host = {{"node1", "=eth0"}, {"../node2", "=ens5"}};
  const auto files = env_files({advice, setting("NCCL_X", "1")}, {"node1", "../node2"}, "run.json");
  ASSERT_EQ(files.size(), 4U);
  EXPECT_EQ(files[2].name, "nccl.node1.conf");
  EXPECT_THAT(files[2].text, HasSubstr("\nNCCL_SOCKET_IFNAME==eth0\n"));
  EXPECT_THAT(files[2].text, HasSubstr("\nNCCL_X=1\n"));
  EXPECT_EQ(files[3].name, "nccl._.._node2.conf");
  EXPECT_THAT(files[0].text, ::testing::Not(HasSubstr("\nNCCL_SOCKET_IFNAME=")));
}

}  // namespace
}  // namespace ringwise::recommend::test
