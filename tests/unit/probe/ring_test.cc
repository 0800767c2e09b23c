#include "probe/ring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <tuple>

#include "probe/verify.h"
#include "ring_harness.h"

namespace ringwise::probe {
namespace {

std::uint64_t wrong_elements(Ring& ring, int rank, int ranks, std::size_t elements,
                             RingVariant variant) {
  std::vector<float> source(elements);
  std::vector<float> result(elements);
  ring.prepare(source, result, variant);
  std::uint64_t wrong = 0;
  for (std::uint32_t iteration = 0; iteration < 3; ++iteration) {
    const PayloadKey key{7, iteration};
    fill_payload(source, rank, key);
    ring.run(soon());
    if (variant == RingVariant::kReduce) {
      wrong += count_wrong_sums(result, ranks, key);
      continue;
    }
    for (const auto& piece : ring.wire_pieces()) {
      wrong += count_wrong_copies(std::span(result).subspan(piece.at, piece.elements), piece.at,
                                  piece.owner, key);
    }
  }
  return wrong;
}

void expect_exact(const RingSetup& setup, std::size_t elements) {
  for (const auto variant : {RingVariant::kReduce, RingVariant::kWire}) {
    std::atomic<std::uint64_t> wrong = 0;
    const auto thrown = run_ring(setup, [&](comm::Communicator& comm, Ring& ring) {
      wrong += wrong_elements(ring, comm.rank(), setup.ranks, elements, variant);
    });
    for (const auto& text : thrown) EXPECT_EQ(text, "");
    EXPECT_EQ(wrong.load(), 0U) << to_text(variant) << ", " << elements << " elements";
  }
}

class RingOfRanks : public testing::TestWithParam<int> {};

TEST_P(RingOfRanks, SumsExactlyForEverySize) {
  RingSetup setup;
  setup.ranks = GetParam();
  for (const std::size_t elements : {1U, 2U, 3U, 33U, 1000U, 4096U, 10007U, 100003U, 700001U}) {
    expect_exact(setup, elements);
  }
}

TEST_P(RingOfRanks, SumsExactlyWithFewerElementsThanRanksInTheRingAlgorithm) {
  RingSetup setup;
  setup.ranks = GetParam();
  setup.channels = 3;
  setup.tuning.chunk_bytes = 64;
  setup.tuning.min_channel_bytes = 4;
  expect_exact(setup, kGatherElements / static_cast<std::size_t>(setup.ranks) + 1);
}

INSTANTIATE_TEST_SUITE_P(Ranks, RingOfRanks, testing::Values(2, 3, 4, 5));

struct Shape {
  int channels;
  int threads;
  int sockets;
};

class RingOfShape : public testing::TestWithParam<Shape> {};

TEST_P(RingOfShape, SumsExactly) {
  RingSetup setup;
  setup.ranks = 3;
  setup.channels = GetParam().channels;
  setup.threads = GetParam().threads;
  setup.sockets = GetParam().sockets;
  setup.tuning.min_channel_bytes = 4096;
  for (const std::size_t elements : {1U, 40U, 20000U, 1200007U}) expect_exact(setup, elements);
}

INSTANTIATE_TEST_SUITE_P(Shapes, RingOfShape,
                         testing::Values(Shape{2, 0, 1}, Shape{4, 0, 1}, Shape{1, 1, 1},
                                         Shape{2, 1, 4}, Shape{2, 2, 8}, Shape{1, 4, 1},
                                         Shape{3, 3, 2}),
                         [](const auto& tested) {
                           const Shape& shape = tested.param;
                           return "c" + std::to_string(shape.channels) + "t" +
                                  std::to_string(shape.threads) + "s" +
                                  std::to_string(shape.sockets);
                         });

TEST(Ring, WorksOverIpv6) {
  RingSetup setup;
  setup.address = "::1";
  expect_exact(setup, 50001);
}

TEST(Ring, BlocksWithoutSpinning) {
  RingSetup setup;
  setup.ranks = 3;
  setup.channels = 2;
  setup.threads = 1;
  setup.tuning.spins = 0;
  expect_exact(setup, 300001);
}

TEST(Ring, CountsWhatItSends) {
  RingSetup setup;
  setup.ranks = 3;
  setup.channels = 2;
  const auto thrown = run_ring(setup, [&](comm::Communicator& comm, Ring& ring) {
    std::vector<float> source(1U << 20);
    std::vector<float> result(source.size());
    ring.prepare(source, result, RingVariant::kReduce);
    EXPECT_EQ(ring.channels_used(), 2);
    const auto total = static_cast<double>(ring.sent_bytes(0) + ring.sent_bytes(1));
    EXPECT_NEAR(total, static_cast<double>(source.size()) * 4 * 2 * 2 / 3, 4096);
    ring.prepare(std::span(source).first(2), std::span(result).first(2), RingVariant::kReduce);
    EXPECT_EQ(ring.channels_used(), 1);
    // Two arms: the middle sends to both ends, which send to it.
    EXPECT_EQ(ring.sent_bytes(0), (comm.rank() == 0 ? 2U : 1U) * 8U);
    EXPECT_EQ(ring.received_bytes(0), ring.sent_bytes(0));
    EXPECT_EQ(ring.sent_bytes(1), 0U);
    comm.barrier(soon());
  });
  for (const auto& text : thrown) EXPECT_EQ(text, "");
}

TEST(Ring, NamesThePeerThatLeft) {
  const RingSetup setup;
  const auto thrown = run_ring(setup, [&](comm::Communicator& comm, Ring& ring) {
    if (comm.rank() == 1) return;
    std::vector<float> source(1000);
    std::vector<float> result(1000);
    ring.prepare(source, result, RingVariant::kReduce);
    ring.run(soon());
  });
  EXPECT_EQ(thrown[0], "connection to rank 1 (node1) over lo closed by the peer");
}

TEST(Ring, NamesThePeerThatStopsWithinTheStallTime) {
  RingSetup setup;
  setup.ranks = 3;
  setup.stall_s = 0.2;
  for (const std::size_t elements : {1U, 4000000U}) {
    std::atomic<int> stalled = 0;
    const auto thrown = run_ring(setup, [&](comm::Communicator& comm, Ring& ring) {
      std::vector<float> source(elements);
      std::vector<float> result(elements);
      ring.prepare(source, result, RingVariant::kReduce);
      if (comm.rank() == 0) {
        while (stalled.load() < 2) std::this_thread::yield();
        return;
      }
      struct Count {
        std::atomic<int>& count;
        ~Count() { ++count; }
      } count{stalled};
      ring.run(soon());
    });
    EXPECT_THAT(thrown[1], testing::StartsWith("rank 0 (node0) over lo owes bytes"));
    EXPECT_NE(thrown[2], "");
  }
}

}  // namespace
}  // namespace ringwise::probe
