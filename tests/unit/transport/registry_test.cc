#include "transport/registry.h"

#include <gtest/gtest.h>

namespace ringwise::transport {
namespace {

TEST(Transports, HaveANameASummaryAndAnAnswer) {
  for (const auto& row : transports()) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_FALSE(row.summary.empty());
    const auto available = row.available();
    EXPECT_EQ(available.usable, available.reason.empty()) << row.name;
    EXPECT_EQ(find_transport(row.name), &row);
  }
  EXPECT_EQ(find_transport("pigeon"), nullptr);
}

TEST(Transports, AlwaysIncludeTcp) {
  EXPECT_TRUE(find_transport("tcp")->available().usable);
}

}  // namespace
}  // namespace ringwise::transport
