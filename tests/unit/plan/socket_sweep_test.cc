// Which setting of a sweep is enough, and by how much one result beats another.
#include "plan/socket_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::plan {
namespace {

using testing::IsNull;
using testing::NotNull;

/// Six blocks of 4 MiB that take `us`, rising by a per mille each.
model::Result trial(int threads, int sockets, double us, int channels = 2) {
  model::Result result;
  result.probe = "tcp-allreduce";
  result.threads = threads;
  result.sockets = sockets;
  result.channels = channels;
  model::SizeResult size;
  size.bytes = std::uint64_t{4} << 20;
  size.verified = true;
  size.time_us_p50 = us;
  for (int block = 0; block < 6; ++block) size.block_medians_us.push_back(us * (1 + 0.001 * block));
  result.sizes.push_back(size);
  return result;
}

SocketSweep sweep_of(const std::vector<model::Result>& results, int preferred_channels = 2) {
  std::vector<const model::Result*> pointers;
  pointers.reserve(results.size());
  for (const auto& result : results) pointers.push_back(&result);
  return socket_sweep(pointers, socket_plan(std::nullopt, {}), preferred_channels);
}

TEST(Gain, IsTheRatioOfTheRates) {
  const auto found = gain(trial(1, 1, 50), trial(0, 0, 100), kLarge);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->factor, 2, 1e-9);
  EXPECT_TRUE(found->is_faster());
  EXPECT_EQ(found->blocks, 6U);
  EXPECT_FALSE(gain(trial(1, 1, 50), trial(0, 0, 100), kLarge + 1));
}

TEST(Gain, LeavesOutWhatIsNotUsable) {
  auto wrong = trial(1, 1, 50);
  wrong.sizes[0].wrong = 1;
  EXPECT_FALSE(gain(wrong, trial(0, 0, 100), kLarge));
  auto unverified = trial(0, 0, 100);
  unverified.sizes[0].verified = false;
  EXPECT_FALSE(gain(trial(1, 1, 50), unverified, kLarge));
}

TEST(Gain, IsThatOfSmallerSizesOnlyWhereNoLargeOneWasMeasuredInBoth) {
  auto with = trial(1, 1, 50);
  auto without = trial(0, 0, 100);
  for (auto* result : {&with, &without}) {
    result->sizes.push_back(result->sizes[0]);
    result->sizes[1].bytes = kLargeAtLeast;
  }
  EXPECT_EQ(large_gain(with, without)->from_bytes, kLarge);
  without.sizes[0].block_medians_us.clear();
  EXPECT_EQ(large_gain(with, without)->to_bytes, kLargeAtLeast);
  with.sizes[1].bytes = without.sizes[1].bytes = kLargeAtLeast / 2;
  EXPECT_FALSE(large_gain(with, without));
}

TEST(SocketSweep, ChoosesTheFewestSocketsThatAreAsGoodAsTheBest) {
  const std::vector results{trial(0, 0, 100), trial(1, 1, 90), trial(1, 2, 50.2), trial(2, 1, 50.1),
                            trial(4, 4, 50)};
  const auto sweep = sweep_of(results);
  EXPECT_EQ(sweep.base, results.data());
  EXPECT_EQ(best_of(sweep)->result, &results[4]);
  ASSERT_THAT(smallest_of_the_best(sweep), NotNull());
  EXPECT_EQ(smallest_of_the_best(sweep)->text(), "1 thread x 2 sockets");
}

TEST(SocketSweep, ChoosesNothingWhereTheDefaultIsAsGood) {
  const std::vector results{trial(0, 0, 100), trial(1, 2, 98)};
  EXPECT_THAT(smallest_of_the_best(sweep_of(results)), IsNull());
}

TEST(SocketSweep, IsEmptyWithoutTheDefault) {
  const std::vector results{trial(1, 1, 100), trial(1, 2, 50)};
  const auto sweep = sweep_of(results);
  EXPECT_THAT(sweep.base, IsNull());
  EXPECT_THAT(best_of(sweep), IsNull());
  EXPECT_THAT(smallest_of_the_best(sweep), IsNull());
}

TEST(SocketSweep, ComparesSettingsOfOneChannelCountOnly) {
  const std::vector results{trial(0, 0, 100, 1), trial(1, 2, 50, 1), trial(0, 0, 60, 2),
                            trial(1, 4, 30, 2), trial(0, 0, 50, 4)};
  EXPECT_EQ(smallest_of_the_best(sweep_of(results))->result, &results[3]);
  EXPECT_EQ(smallest_of_the_best(sweep_of(results, 8))->result, &results[1]);
}

TEST(SocketSweep, TakesNoDefaultWhereTheInterfacesDiffer) {
  const std::vector<std::optional<std::string>> same{"0x1d0f", "0x1d0f"};
  EXPECT_EQ(agreed_socket_plan(same)->threads, socket_plan("0x1d0f", {}).threads);
  const std::vector<std::optional<std::string>> mixed{"0x1d0f", std::nullopt};
  EXPECT_FALSE(agreed_socket_plan(mixed));
  EXPECT_FALSE(agreed_socket_plan({}));
}

}  // namespace
}  // namespace ringwise::plan
