// Ranks as threads: agreement, failures and silence.
#include "comm/local_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace ringwise::comm {
namespace {

using testing::HasSubstr;

base::Deadline soon() {
  return base::Deadline::after(std::chrono::seconds(10));
}

TEST(LocalGroup, EveryoneGetsEveryonesText) {
  const auto thrown = LocalGroup::run(4, [](Communicator& comm) {
    for (int round = 0; round < 50; ++round) {
      const auto texts = comm.gather_all(std::to_string(comm.rank() * 100 + round), soon());
      for (int rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(texts.at(static_cast<std::size_t>(rank)), std::to_string(rank * 100 + round));
      }
    }
  });
  EXPECT_THAT(thrown, testing::Each(""));
}

TEST(LocalGroup, MaxAndAllOkAgree) {
  const auto thrown = LocalGroup::run(3, [](Communicator& comm) {
    EXPECT_EQ(comm.max(-comm.rank() - 1.0, soon()), -1.0);
    EXPECT_FALSE(comm.all_ok(comm.rank() != 1, soon()));
    EXPECT_TRUE(comm.all_ok(true, soon()));
  });
  EXPECT_THAT(thrown, testing::Each(""));
}

TEST(LocalGroup, AFailedRankEndsTheWaitOfTheOthers) {
  const auto thrown = LocalGroup::run(3, [](Communicator& comm) {
    if (comm.rank() == 2) throw Error(ErrorKind::kSystem, "no cable");
    comm.barrier(soon());
  });
  EXPECT_EQ(thrown[2], "no cable");
  EXPECT_THAT(thrown[0], HasSubstr("rank 2: no cable"));
  EXPECT_THAT(thrown[1], HasSubstr("rank 2: no cable"));
}

TEST(LocalGroup, ASilentRankIsNamedAtTheDeadline) {
  LocalGroup group(2);
  try {
    group.at(0).barrier(base::Deadline::after(std::chrono::milliseconds(5)));
    FAIL() << "rank 1 never came";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kTimeout);
    EXPECT_THAT(error.what(), HasSubstr("rank 1"));
  }
}

}  // namespace
}  // namespace ringwise::comm
