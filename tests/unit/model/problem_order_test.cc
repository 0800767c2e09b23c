// The order of problems in a record.
#include "model/problem_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringwise::model {
namespace {

TEST(SortProblems, TheNearestToTheCauseComesFirst) {
  std::vector<Problem> problems;
  for (const char* sign : {"closed", "slow", "silent", "worker-killed", "no-connection",
                           "unacknowledged", "mtu", "link-down", "worker-ended"}) {
    problems.emplace_back();
    problems.back().sign = sign;
  }
  problems.emplace_back();
  sort_problems(problems);
  std::vector<std::string> order;
  order.reserve(problems.size());
  for (const auto& problem : problems) order.push_back(problem.sign.value_or("none"));
  EXPECT_THAT(order, testing::ElementsAre("worker-ended", "link-down", "mtu", "unacknowledged",
                                          "no-connection", "slow", "worker-killed", "silent",
                                          "none", "closed"));
}

}  // namespace
}  // namespace ringwise::model
