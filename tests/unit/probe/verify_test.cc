#include "probe/verify.h"

#include <gtest/gtest.h>

#include <vector>

namespace ringwise::probe {
namespace {

std::vector<float> payload(std::size_t count, int rank, const PayloadKey& key) {
  std::vector<float> values(count);
  fill_payload(values, rank, key);
  return values;
}

TEST(Verify, AcceptsTheExactSum) {
  const PayloadKey key{3, 9};
  std::vector<float> sum(1000);
  for (int rank = 0; rank < 300; ++rank) {
    const auto values = payload(sum.size(), rank, key);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
  }
  EXPECT_EQ(count_wrong_sums(sum, 300, key), 0U);
}

TEST(Verify, CountsEveryWrongElement) {
  const PayloadKey key{3, 9};
  auto values = payload(1000, 0, key);
  EXPECT_EQ(count_wrong_copies(values, 0, 0, key), 0U);
  values[0] += 1;
  values[500] = -values[500] - 1;
  values[999] += 64;
  EXPECT_EQ(count_wrong_copies(values, 0, 0, key), 3U);
}

TEST(Verify, AcceptsAPieceAtItsPlaceOnly) {
  const PayloadKey key{3, 9};
  const auto values = payload(1000, 2, key);
  EXPECT_EQ(count_wrong_copies(std::span(values).subspan(100, 50), 100, 2, key), 0U);
  EXPECT_GT(count_wrong_copies(std::span(values).subspan(100, 50), 101, 2, key), 40U);
}

TEST(Verify, FindsDataOfAnotherRankIterationOrSeed) {
  const auto values = payload(1000, 2, {3, 9});
  EXPECT_GT(count_wrong_copies(values, 0, 1, {3, 9}), 500U);
  EXPECT_GT(count_wrong_copies(values, 0, 2, {3, 8}), 900U);
  EXPECT_GT(count_wrong_copies(values, 0, 2, {4, 9}), 900U);
}

TEST(Verify, SumsOfManyRanksStayExact) {
  // The largest value, 255 + 255 * 3, from each of 16,384 ranks.
  const double bound = (255.0 * 16384) + (3 * 127.5 * 16384);
  EXPECT_LT(bound, 16777216.0);
}

}  // namespace
}  // namespace ringwise::probe
