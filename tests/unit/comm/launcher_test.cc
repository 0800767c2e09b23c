// What the environment of a launcher says of the world.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.h"
#include "comm/control_plane.h"

namespace ringwise::comm {
namespace {

class Launcher : public testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void clear() {
    for (const char* name :
         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS",
          "SLURM_NNODES", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "OMPI_MCA_orte_num_nodes"}) {
      ::unsetenv(name);
    }
  }
};

TEST_F(Launcher, NoneWithoutVariables) {
  EXPECT_EQ(detect_launcher(), "none");
  EXPECT_FALSE(launcher_ranks());
  EXPECT_FALSE(launcher_nodes());
}

TEST_F(Launcher, OpenMpiSaysRanksAndNodes) {
  ::setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  ::setenv("OMPI_COMM_WORLD_SIZE", "12", 1);
  ::setenv("OMPI_MCA_orte_num_nodes", "3", 1);
  EXPECT_EQ(detect_launcher(), "openmpi");
  EXPECT_EQ(launcher_ranks(), 12);
  EXPECT_EQ(launcher_nodes(), 3);
}

TEST_F(Launcher, NonsenseIsNoNumber) {
  ::setenv("PMI_RANK", "0", 1);
  ::setenv("PMI_SIZE", "many", 1);
  EXPECT_EQ(detect_launcher(), "mpich");
  EXPECT_FALSE(launcher_ranks());
}

TEST_F(Launcher, OneProcessAloneIsItsOwnWorld) {
  const auto plane = alone();
  EXPECT_EQ(plane->size(), 1);
  const auto texts = plane->gather("me", base::Deadline::after(std::chrono::seconds(1)));
  ASSERT_EQ(texts.size(), 1U);
  EXPECT_EQ(texts[0], "me");
  EXPECT_THROW(
      (void)plane->time_allreduce({.bytes = 4,
                                   .deadline = base::Deadline::after(std::chrono::seconds(1)),
                                   .on_timeout = [] {}}),
      Error);
}

}  // namespace
}  // namespace ringwise::comm
