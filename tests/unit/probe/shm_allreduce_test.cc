#include "probe/shm_allreduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>

#include "base/error.h"
#include "comm/local_group.h"
#include "probe/ring.h"
#include "probe/verify.h"
#include "transport/shm/ring_links.h"

namespace ringwise::probe {
namespace {

base::Deadline soon() {
  return base::Deadline::after(std::chrono::seconds(60));
}

StageSpec spec_of(const std::vector<std::string>& hosts) {
  StageSpec spec;
  spec.probe = "shm-allreduce";
  spec.hosts = hosts;
  spec.ranks = static_cast<int>(hosts.size());
  spec.token = "00112233445566778899aabb" + std::to_string(10000000 + getpid() % 10000000);
  spec.sizes = {8, 1000, std::uint64_t{1} << 18};
  spec.blocks = 2;
  spec.budget_s = 3;
  spec.stall_s = 30;
  return spec;
}

std::vector<model::StageReport> run_all(const StageSpec& spec, std::vector<std::string>& thrown) {
  std::vector<model::StageReport> reports(static_cast<std::size_t>(spec.ranks));
  thrown = comm::LocalGroup::run(spec.ranks, [&](comm::Communicator& comm) {
    StageSpec mine = spec;
    mine.rank = comm.rank();
    StageContext context{mine, comm, soon(), [](std::string_view) {},
                         [](double, std::string_view) {}};
    run_shm_allreduce(context, reports[static_cast<std::size_t>(comm.rank())]);
  });
  return reports;
}

TEST(ShmAllreduce, MeasuresTheRanksOfEachHost) {
  std::vector<std::string> thrown;
  const auto reports = run_all(spec_of({"a", "b", "a", "b", "a"}), thrown);
  for (const auto& text : thrown) EXPECT_EQ(text, "");
  for (const auto& report : reports) {
    ASSERT_EQ(report.results.size(), 2U);
    for (const auto& result : report.results) {
      EXPECT_EQ(result.transport, "shm");
      EXPECT_EQ(result.ranks, 3);
      for (const auto& size : result.sizes) {
        EXPECT_TRUE(size.verified);
        EXPECT_EQ(size.wrong, 0U);
        EXPECT_EQ(size.block_medians_us.size(), 2U);
      }
    }
  }
}

TEST(ShmAllreduce, LetsARankThatIsAloneTakePart) {
  auto spec = spec_of({"a", "b", "a"});
  spec.sizes = {4096};
  std::vector<std::string> thrown;
  const auto reports = run_all(spec, thrown);
  for (const auto& text : thrown) EXPECT_EQ(text, "");
  EXPECT_EQ(reports[0].results[0].sizes[0].block_medians_us.size(), 2U);
  EXPECT_EQ(reports[1].results.size(), 2U);
}

TEST(ShmAllreduce, SaysWhenNoHostHasTwoRanks) {
  std::vector<std::string> thrown;
  (void)run_all(spec_of({"a", "b"}), thrown);
  EXPECT_EQ(thrown[0], "no host has two ranks");
}

TEST(ShmRing, SumsExactlyForManySizesAndChannels) {
  const transport::shm::RingOptions base{
      {"a", "a", "a"}, static_cast<std::uint64_t>(getpid()), 3, 0, nullptr};
  for (const std::size_t elements : {1U, 3U, 1000U, 100003U, 2000001U}) {
    std::atomic<std::uint64_t> wrong = 0;
    const auto thrown = comm::LocalGroup::run(3, [&](comm::Communicator& comm) {
      Ring ring(comm.rank(), 3, transport::shm::connect_ring(comm, base, soon()),
                std::chrono::seconds(30));
      std::vector<float> source(elements);
      std::vector<float> result(elements);
      ring.prepare(source, result, RingVariant::kReduce);
      for (std::uint32_t iteration = 0; iteration < 3; ++iteration) {
        fill_payload(source, comm.rank(), {1, iteration});
        ring.run(soon());
        wrong += count_wrong_sums(result, 3, {1, iteration});
      }
    });
    for (const auto& text : thrown) EXPECT_EQ(text, "");
    EXPECT_EQ(wrong.load(), 0U) << elements;
  }
}

TEST(ShmRing, NamesThePeerThatStops) {
  const transport::shm::RingOptions base{
      {"a", "a"}, static_cast<std::uint64_t>(getpid()) + 1, 1, 0, nullptr};
  const auto thrown = comm::LocalGroup::run(2, [&](comm::Communicator& comm) {
    auto links = transport::shm::connect_ring(comm, base, soon());
    if (comm.rank() == 1) return;
    Ring ring(comm.rank(), 2, std::move(links), std::chrono::milliseconds(50));
    std::vector<float> source(1000);
    std::vector<float> result(1000);
    ring.prepare(source, result, RingVariant::kReduce);
    ring.run(soon());
  });
  EXPECT_THAT(thrown[0], testing::StartsWith("rank 1 (a) owes bytes and has sent none for "));
}

}  // namespace
}  // namespace ringwise::probe
