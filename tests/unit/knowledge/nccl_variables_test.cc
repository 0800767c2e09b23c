// The table of NCCL's variables that is compiled in.
#include "knowledge/nccl_variables.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/error.h"

namespace ringwise::knowledge {
namespace {

class NcclVariablesTest : public ::testing::Test {
 protected:
  const NcclVariable& get(const char* name) const {
    const auto* found = variables_.find(name);
    if (found == nullptr) throw Error(ErrorKind::kInternal, name);
    return *found;
  }
  NcclVariables variables_ = NcclVariables::load();
};

TEST_F(NcclVariablesTest, AreUniqueAndComplete) {
  EXPECT_GE(variables_.all().size(), 300U);
  std::set<std::string> names;
  const std::set<std::string> uses{"safe", "tuning", "debug-only", "dangerous"};
  for (const auto& variable : variables_.all()) {
    EXPECT_TRUE(names.insert(variable.name).second) << variable.name;
    EXPECT_FALSE(variable.effect.empty()) << variable.name;
    EXPECT_EQ(variable.effect.find('\n'), std::string::npos) << variable.name;
    EXPECT_TRUE(uses.contains(variable.use)) << variable.name;
    EXPECT_LE(variable.since, kNewestKnown) << variable.name;
    EXPECT_LT(variable.since, variable.removed.value_or(NcclVersion{99, 0, 0})) << variable.name;
    for (std::size_t i = 1; i < variable.defaults.size(); ++i) {
      EXPECT_LT(variable.defaults[i - 1].since, variable.defaults[i].since) << variable.name;
    }
  }
}

TEST_F(NcclVariablesTest, AreFoundByExactName) {
  EXPECT_EQ(get("NCCL_SOCKET_IFNAME").type, "list");
  EXPECT_EQ(variables_.find("NCCL_SOCKET_IFNAM"), nullptr);
  EXPECT_EQ(variables_.find(""), nullptr);
  EXPECT_EQ(variables_.find("ZZZ"), nullptr);
}

TEST_F(NcclVariablesTest, KnowWhichReleasesReadThem) {
  const auto& inline_bytes = get("NCCL_SOCKET_INLINE");
  EXPECT_FALSE(exists_in(inline_bytes, {2, 26, 5}));
  EXPECT_TRUE(exists_in(inline_bytes, {2, 27, 3}));
  const auto& aggregate = get("NCCL_AGG_ALLOC_MODE");
  EXPECT_TRUE(exists_in(aggregate, {2, 12, 12}));
  EXPECT_FALSE(exists_in(aggregate, {2, 13, 4}));
}

TEST_F(NcclVariablesTest, KnowDefaultsThatChanged) {
  const auto& gid = get("NCCL_IB_GID_INDEX");
  EXPECT_EQ(default_in(gid, {2, 18, 5}), "0");
  EXPECT_EQ(default_in(gid, {2, 21, 5}), "-1");
  const auto& debug = get("NCCL_DEBUG");
  EXPECT_EQ(default_in(debug, kNewestKnown), debug.default_value);
}

TEST_F(NcclVariablesTest, KnowHowTextIsRead) {
  EXPECT_EQ(get("NCCL_BUFFSIZE").reading, Reading::kInteger);
  EXPECT_EQ(get("NCCL_SOCKET_IFNAME").reading, Reading::kText);
  EXPECT_TRUE(get("NCCL_BUFFSIZE").is_same_on_all_ranks);
  EXPECT_FALSE(get("NCCL_SOCKET_IFNAME").is_same_on_all_ranks);
}

}  // namespace
}  // namespace ringwise::knowledge
