// Failures inside a probe become data.
#include "probe/run_one.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "comm/local_group.h"

namespace ringwise::probe {
namespace {

using model::StageReport;
using model::Status;
using testing::HasSubstr;

StageReport run(void (*body)(StageContext&, StageReport&)) {
  comm::LocalGroup group(1);
  StageSpec spec;
  spec.probe = "test";
  spec.ranks = 3;
  spec.rank = 1;
  spec.hosts = {"node1", "node2", "node3"};
  StageContext context{.spec = spec,
                       .comm = group.at(0),
                       .deadline = base::Deadline::after(std::chrono::seconds(10)),
                       .step = [](std::string_view) {},
                       .progress = [](double, std::string_view) {}};
  return run_one(Probe{"test", "for the test", true, 1, false, body}, context);
}

TEST(RunOne, KeepsWhatWasMeasuredBeforeTheFailure) {
  const auto report = run([](StageContext&, StageReport& into) {
    into.results.emplace_back();
    into.results.back().probe = "test";
    into.results.back().sizes.emplace_back();
    throw PlacedError(ErrorKind::kTimeout, "rank 2 sends nothing",
                      {.peer = 2, .interface = "eth0", .step = "block 1"});
  });
  ASSERT_EQ(report.results.size(), 1U);
  EXPECT_EQ(report.results[0].status, Status::kFailed);
  EXPECT_EQ(report.results[0].sizes.size(), 1U);
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_EQ(report.problems[0].rank, 1);
  EXPECT_EQ(report.problems[0].host, "node2");
  EXPECT_EQ(report.problems[0].peer, 2);
  EXPECT_EQ(report.problems[0].peer_host, "node3");
  EXPECT_EQ(report.problems[0].interface, "eth0");
  EXPECT_EQ(report.problems[0].step, "block 1");
}

TEST(RunOne, AbsentHardwareIsASkipAndNoProblem) {
  const auto report = run(
      [](StageContext&, StageReport&) { throw Error(ErrorKind::kUnavailable, "no such device"); });
  ASSERT_EQ(report.results.size(), 1U);
  EXPECT_EQ(report.results[0].status, Status::kSkipped);
  EXPECT_EQ(report.results[0].reason, "no such device");
  EXPECT_TRUE(report.problems.empty());
}

TEST(RunOne, TheFailureOfAnotherRankIsNoProblemOfThisOne) {
  const auto report = run([](StageContext&, StageReport&) {
    throw Error(ErrorKind::kPeer, "rank 0 (node1): out of memory");
  });
  EXPECT_EQ(report.results.at(0).status, Status::kFailed);
  EXPECT_TRUE(report.problems.empty());
}

TEST(RunOne, ABugIsSaidToBeOne) {
  const auto report =
      run([](StageContext&, StageReport&) { throw std::out_of_range("vector::at"); });
  EXPECT_EQ(report.results.at(0).status, Status::kFailed);
  EXPECT_THAT(report.results.at(0).reason.value(), HasSubstr("internal error"));
  EXPECT_EQ(report.problems.size(), 1U);
}

TEST(Attempt, TakesOnlyFailuresBetweenRanks) {
  EXPECT_FALSE(attempt([] {}));
  const auto failure = attempt([] {
    throw PlacedError(ErrorKind::kPeer, "reset", ErrorPlace{1, {}, {}});
  });
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->place.peer, 1);
  EXPECT_THROW((void)attempt([] { throw Error(ErrorKind::kInternal, "bug"); }), Error);
}

}  // namespace
}  // namespace ringwise::probe
