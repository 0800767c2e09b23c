// Tests that every row of the advice table keeps its promises.
#include "recommend/registry.h"

#include <set>

#include <gtest/gtest.h>

#include "recommend/recommend.h"
#include "run_builder.h"

namespace ringwise::recommend::test {
namespace {

TEST(AdviceRows, HaveUniqueIdsAndSummaries) {
  std::set<std::string_view> ids;
  for (const auto& row : advice_rows()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_FALSE(row.summary.empty()) << row.id;
  }
}

TEST(AdviceRows, AlwaysSaySomething) {
  for (const auto& row : advice_rows()) EXPECT_FALSE(row.advise(Evidence{}).empty()) << row.id;
}

TEST(AdviceRows, GiveEveryValueAReasonAVerificationAndAnUndo) {
  for (const auto* mode : {"host", "multus", "overlay", "mine"}) {
    const std::vector<InputRun> runs{
        simple_run({wire({}), wire({.us = 70000, .threads = 2})}, mode)};
    for (const auto& advice : recommend(runs).advice) {
      EXPECT_FALSE(advice.reason.empty()) << advice.name;
      EXPECT_FALSE(advice.where.empty()) << advice.name;
      EXPECT_FALSE(advice.nccl_versions.empty()) << advice.name;
      if (advice.state == model::AdviceState::kUnset) {
        EXPECT_EQ(advice.value, std::nullopt) << advice.name;
        continue;
      }
      EXPECT_FALSE(advice.verify.empty()) << advice.name;
      EXPECT_FALSE(advice.undo.empty()) << advice.name;
    }
  }
}

}  // namespace
}  // namespace ringwise::recommend::test
