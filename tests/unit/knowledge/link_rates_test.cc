// Link rates of NCCL's topology model.
#include "knowledge/link_rates.h"

#include <gtest/gtest.h>

namespace ringwise::knowledge {
namespace {

TEST(LinkRates, OfNvlinkFollowTheGpu) {
  const auto rates = LinkRates::load();
  EXPECT_DOUBLE_EQ(rates.nvlink(70), 20);
  EXPECT_DOUBLE_EQ(rates.nvlink(80), 20);
  EXPECT_DOUBLE_EQ(rates.nvlink(86), 12);
  EXPECT_DOUBLE_EQ(rates.nvlink(89), 20);
  EXPECT_DOUBLE_EQ(rates.nvlink(90), 20.6);
  EXPECT_DOUBLE_EQ(rates.nvlink(103), 40.1);
  EXPECT_DOUBLE_EQ(rates.nvlink(30), 20);
}

TEST(LinkRates, OfPcieAreLanesTimesSpeed) {
  const auto rates = LinkRates::load();
  EXPECT_DOUBLE_EQ(rates.pcie(16, 16).value(), 24);
  EXPECT_DOUBLE_EQ(rates.pcie(32, 16).value(), 48);
  EXPECT_DOUBLE_EQ(rates.pcie(8, 8).value(), 6);
  EXPECT_FALSE(rates.pcie(7, 16));
  EXPECT_DOUBLE_EQ(rates.pcie_default(), 12);
}

TEST(LinkRates, OfCpusAndNics) {
  const auto rates = LinkRates::load();
  EXPECT_EQ(rates.cpu("intel", "sapphire-rapids"), 22);
  EXPECT_EQ(rates.cpu("amd", ""), 16);
  EXPECT_FALSE(rates.cpu("intel", "pentium"));
  EXPECT_DOUBLE_EQ(rates.nic(10000), 1.25);
  EXPECT_DOUBLE_EQ(rates.local(), 5000);
}

}  // namespace
}  // namespace ringwise::knowledge
