#include "probe/tcp_allreduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "base/error.h"
#include "comm/local_group.h"

namespace ringwise::probe {
namespace {

StageSpec spec_of(int ranks) {
  StageSpec spec;
  spec.probe = "tcp-allreduce";
  spec.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) spec.hosts.push_back("node" + std::to_string(rank));
  spec.token = "00112233445566778899aabbccddeeff";
  spec.seed = 5;
  spec.sizes = {8, 1000, std::uint64_t{1} << 20};
  spec.interface = "=lo";
  spec.blocks = 2;
  spec.budget_s = 1;
  spec.stall_s = 30;
  spec.on_busy_fabric = true;
  return spec;
}

/// Runs the probe with these ranks; what they threw is in `thrown`, empty text = nothing. `steps`
/// gets what rank 0 says.
std::vector<model::StageReport> run_all(const StageSpec& spec, std::vector<std::string>& thrown,
                                        std::vector<std::string>* steps = nullptr) {
  std::vector<model::StageReport> reports(static_cast<std::size_t>(spec.ranks));
  thrown = comm::LocalGroup::run(spec.ranks, [&](comm::Communicator& comm) {
    StageSpec mine = spec;
    mine.rank = comm.rank();
    StageContext context{mine, comm, base::Deadline::after(std::chrono::seconds(60)),
                         [&](std::string_view text) {
                           if (steps != nullptr && mine.rank == 0) steps->emplace_back(text);
                         },
                         [](double, std::string_view) {}};
    run_tcp_allreduce(context, reports[static_cast<std::size_t>(comm.rank())]);
  });
  return reports;
}

TEST(TcpAllreduce, MeasuresEverySizeOfBothVariants) {
  auto spec = spec_of(3);
  spec.budget_s = 4;  // enough for a machine that is busy with other tests
  std::vector<std::string> thrown;
  const auto reports = run_all(spec, thrown);
  for (const auto& text : thrown) EXPECT_EQ(text, "");
  for (const auto& report : reports) {
    ASSERT_EQ(report.results.size(), 2U);
    EXPECT_EQ(report.results[0].variant, "reduce");
    EXPECT_EQ(report.results[1].variant, "wire");
    for (const auto& result : report.results) {
      EXPECT_EQ(result.transport, "tcp");
      EXPECT_EQ(result.family, "inet");
      EXPECT_EQ(result.interface, "lo");
      EXPECT_EQ(result.channels, 2);
      EXPECT_EQ(result.threads, 0);
      EXPECT_EQ(result.sockets, 0);
      EXPECT_EQ(result.stray_connections,
                result.variant == "reduce" ? std::optional(0U) : std::nullopt);
      ASSERT_EQ(result.sizes.size(), 3U);
      for (const auto& size : result.sizes) {
        EXPECT_TRUE(size.verified);
        EXPECT_EQ(size.wrong, 0U);
        EXPECT_EQ(size.block_medians_us.size(), 2U);
        EXPECT_GE(size.samples, 6U);
        EXPECT_GE(*size.time_us_p99, *size.time_us_p50);
      }
    }
  }
}

TEST(TcpAllreduce, SweepsShapesWithoutRepeatingOnesThatAreAlike) {
  auto spec = spec_of(2);
  spec.channels = {1, 2};
  spec.threads = {0, 2};
  spec.sockets = {1, 4};
  spec.sizes = {200000};
  std::vector<std::string> thrown;
  const auto reports = run_all(spec, thrown);
  for (const auto& text : thrown) EXPECT_EQ(text, "");
  std::vector<std::string> shapes;
  for (const auto& result : reports[0].results) {
    if (result.variant == "wire") continue;
    shapes.push_back(std::to_string(*result.channels) + " " + std::to_string(*result.threads) +
                     " " + std::to_string(*result.sockets));
  }
  EXPECT_THAT(shapes, testing::ElementsAre("1 0 0", "1 2 1", "1 2 4", "2 0 0", "2 2 1", "2 2 4"));
}

// Where settings are compared, none may lack the size by which they are.
TEST(TcpAllreduce, PromisesTimeToTheComparedSizeOfEveryConfigurationFirst) {
  auto spec = spec_of(2);
  spec.budget_s = 8;
  spec.threads = {0, 1};
  spec.sizes = {8, 1000, std::uint64_t{4} << 20, std::uint64_t{8} << 20};
  std::vector<std::string> thrown;
  std::vector<std::string> steps;
  run_all(spec, thrown, &steps);
  for (const auto& text : thrown) EXPECT_EQ(text, "");
  std::erase_if(steps, [](const std::string& text) { return !text.starts_with("verify"); });
  const std::vector<std::string> expected{"verify 8 B, reduce", "verify 8 B, wire",
                                          "verify 4 MiB, wire", "verify 1000 B, reduce"};
  ASSERT_GE(steps.size(), expected.size());
  EXPECT_EQ(std::vector(steps.begin(), steps.begin() + 4), expected);
}

TEST(TcpAllreduce, EndsAfterFewerBlocksWhenTheStagesTimeRunsShort) {
  auto spec = spec_of(2);
  spec.budget_s = 4;
  spec.timeout_s = 1e6;  // the deadline that the tests give is nearer: most of it is over
  std::vector<std::string> thrown;
  const auto reports = run_all(spec, thrown);
  for (const auto& text : thrown) EXPECT_EQ(text, "");
  for (const auto& size : reports[0].results[0].sizes) EXPECT_EQ(size.blocks, 1U);
}

TEST(TcpAllreduce, FindsACorruptedByteInBothVariants) {
  auto spec = spec_of(3);
  spec.budget_s = 4;
  spec.corrupt = "rank:1";
  std::vector<std::string> thrown;
  const auto reports = run_all(spec, thrown);
  for (const auto& text : thrown) EXPECT_EQ(text, "");
  for (std::size_t v = 0; v < 2; ++v) {
    for (std::size_t s = 0; s < 3; ++s) {
      std::uint64_t wrong = 0;
      for (const auto& report : reports) wrong += *report.results[v].sizes[s].wrong;
      EXPECT_GE(wrong, 1U) << "variant " << v << ", size " << s;
      EXPECT_LE(wrong, 3U);
    }
  }
  // Rank 1's own data is wrong from rank 2 on: the path from rank 1 to rank 2 is named, once.
  std::size_t problems = 0;
  for (const auto& report : reports) {
    for (const auto& problem : report.problems) {
      ++problems;
      EXPECT_EQ(problem.rank, 2);
      EXPECT_EQ(problem.peer, 1);
      EXPECT_EQ(problem.sign, "wrong-data");
    }
  }
  EXPECT_EQ(problems, 1U);
}

// Three ranks add up small payloads over arms, where data does not go round the ring.
TEST(TcpAllreduce, BlamesTheRightRankForACorruptedByteOfSmallPayloads) {
  auto spec = spec_of(3);
  spec.sizes = {8, 1024};
  for (int culprit = 0; culprit < spec.ranks; ++culprit) {
    spec.corrupt = "rank:" + std::to_string(culprit);
    std::vector<std::string> thrown;
    const auto reports = run_all(spec, thrown);
    std::size_t problems = 0;
    for (const auto& report : reports) {
      for (const auto& problem : report.problems) {
        ++problems;
        EXPECT_EQ(problem.peer.value_or(culprit), culprit) << *problem.rank;
      }
    }
    EXPECT_GE(problems, 1U) << culprit;
  }
}

TEST(TcpAllreduce, LeavesOutWhatDoesNotFitTheBudget) {
  auto spec = spec_of(2);
  spec.sizes = {8, std::uint64_t{1} << 34};
  spec.budget_s = 0.2;
  std::vector<std::string> thrown;
  const auto reports = run_all(spec, thrown);
  for (const auto& text : thrown) EXPECT_EQ(text, "");
  const auto& sizes = reports[0].results[0].sizes;
  EXPECT_EQ(sizes[0].block_medians_us.size(), 2U);
  EXPECT_EQ(sizes[1].samples, 0U);
  EXPECT_FALSE(sizes[1].verified);
  EXPECT_THAT(sizes[1].reason.value(), testing::HasSubstr("the time budget leaves"));
}

TEST(TcpAllreduce, WorksOverIpv6) {
  auto spec = spec_of(2);
  spec.interface = "::1/128";
  std::vector<std::string> thrown;
  const auto reports = run_all(spec, thrown);
  for (const auto& text : thrown) EXPECT_EQ(text, "");
  EXPECT_EQ(reports[0].results[0].family, "inet6");
  EXPECT_EQ(reports[1].results[1].sizes[2].wrong, 0U);
}

TEST(TcpAllreduce, NeedsANeighbour) {
  std::vector<std::string> thrown;
  (void)run_all(spec_of(1), thrown);
  EXPECT_EQ(thrown[0], "one rank has no neighbour: start two or more ranks");
}

}  // namespace
}  // namespace ringwise::probe
