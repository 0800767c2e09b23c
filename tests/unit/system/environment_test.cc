// Tests of which environment variables are recorded.
#include "system/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::system {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(MayRecord, TakesTheListedNames) {
  for (const char* name :
       {"NCCL_SOCKET_IFNAME", "NCCL_IB_PKEY", "UCX_TLS", "FI_PROVIDER", "CUDA_VISIBLE_DEVICES",
        "PCIDEVICE_NVIDIA_COM_RDMA_VF", "RINGWISE_NODE_NAME", "OMPI_MCA_btl",
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"}) {
    EXPECT_TRUE(may_record(name)) << name;
  }
}

TEST(MayRecord, RefusesEverythingElse) {
  for (const char* name : {"HOME", "AWS_SECRET_ACCESS_KEY", "OMPI_COMMAND", "OMPI_ARGV", "XNCCL_X",
                           "NCCL", "", "CUDA_VISIBLE_DEVICES_X", "KUBERNETES_SERVICE_HOST"}) {
    EXPECT_FALSE(may_record(name)) << name;
  }
}

TEST(MayRecord, NeverTakesTokensAndKeys) {
  for (const char* name : {"RINGWISE_TOKEN", "RINGWISE_RUN_TOKEN", "RINGWISE_token_x",
                           "RINGWISE_KEY", "RINGWISE_SSH_KEY_FILE", "NCCL_API_SECRET",
                           "UCX_PASSWORD", "OMPI_MCA_orte_precondition_transports"}) {
    EXPECT_FALSE(may_record(name)) << name;
  }
}

TEST(Recordable, KeepsValuesShortAndSafeToPrint) {
  const auto kept =
      recordable({{"HOME", "/root"}, {"NCCL_A", "x\x1by"}, {"NCCL_B", std::string(4097, 'b')}});
  EXPECT_THAT(kept, ElementsAre(Pair("NCCL_A", "x\\x1by"), Pair("NCCL_B", std::string(4096, 'b'))));
}

TEST(ProcessEnvironment, HasThePath) {
  EXPECT_TRUE(process_environment().contains("PATH"));
}

}  // namespace
}  // namespace ringwise::system
