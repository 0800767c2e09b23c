// Tests of advice as text.
#include "report/advice_text.h"

#include <sstream>

#include <gmock/gmock.h>

#include "golden.h"

namespace ringwise::report::test {
namespace {

using model::Advice;
using model::AdviceState;
using ::testing::HasSubstr;
using ::testing::Not;

Advice setting(const std::string& name, AdviceState state) {
  Advice advice;
  advice.id = "row";
  advice.state = state;
  advice.name = name;
  advice.value = "4";
  advice.where = "env";
  advice.reason = "it moves 1.250 (1.200 to 1.300) of what the default moves";
  advice.nccl_versions = "all";
  advice.verify = "NCCL_DEBUG=INFO prints it";
  advice.undo = "unset it";
  return advice;
}

std::vector<Advice> samples() {
  auto confirmed = setting("NCCL_SOCKET_NTHREADS", AdviceState::kConfirmed);
  confirmed.factor = 1.25;
  confirmed.factor_low = 1.2;
  confirmed.factor_high = 1.3;
  confirmed.cost = "threads";
  auto per_host = setting("NCCL_SOCKET_IFNAME", AdviceState::kRequired);
  per_host.value.reset();
  per_host.per_host = {{"node1\x1b[0m", "=eth0"}, {"node2", "=ens5"}};
  auto pod = setting("spec.hostNetwork", AdviceState::kPredicted);
  pod.value = "true";
  pod.where = "pod";
  auto dropped = setting("NCCL_BUFFSIZE", AdviceState::kDropped);
  dropped.factor = 0.8;
  auto unset = setting("NCCL_IB_DISABLE", AdviceState::kUnset);
  unset.value.reset();
  return {confirmed, per_host, pod, dropped, unset};
}

std::string text() {
  return advice_text(samples(),
                     {.origin = "run.json: 2 hosts, 1 rank a host, mode host",
                      .not_used = {"results[3] (tcp-allreduce wire, eth0): the CPU quota "
                                   "stopped it for 12 ms"},
                      .files = {"ringwise-out/nccl.env"}});
}

TEST(AdviceText, IsTheGoldenText) {
  expect_golden("report/advice.txt", text());
}

TEST(AdviceText, FitsEightyColumnsAndLetsNoControlCharacterThrough) {
  std::istringstream lines(text());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    EXPECT_THAT(line, Not(HasSubstr("\x1b")));
  }
}

TEST(AdviceText, SaysSoWhenThereIsNothingToSet) {
  EXPECT_THAT(advice_text({}, {}), HasSubstr("Set (nccl.env, nccl.conf)\n  nothing\n"));
}

}  // namespace
}  // namespace ringwise::report::test
