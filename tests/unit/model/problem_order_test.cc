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
  for (const char* sign :
       {"closed", "slow", "silent", "worker-killed", "no-connection", "unacknowledged", "rank-lost",
        "mtu", "wrong-path", "wrong-data", "link-down", "worker-ended"}) {
    problems.emplace_back();
    problems.back().sign = sign;
  }
  problems.emplace_back();
  sort_problems(problems);
  std::vector<std::string> order;
  order.reserve(problems.size());
  for (const auto& problem : problems) order.push_back(problem.sign.value_or("none"));
  EXPECT_THAT(order,
              testing::ElementsAre("worker-ended", "link-down", "wrong-data", "wrong-path", "mtu",
                                   "unacknowledged", "no-connection", "slow", "rank-lost",
                                   "worker-killed", "silent", "none", "closed"));
}

}  // namespace
}  // namespace ringwise::model
