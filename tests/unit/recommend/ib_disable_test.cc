// Tests of the advice on NCCL_IB_DISABLE.
#include <gmock/gmock.h>

#include "recommend/recommend.h"
#include "run_builder.h"

namespace ringwise::recommend::test {
namespace {

using ::testing::HasSubstr;

void add_rdma(model::Host& host, const std::string& link_layer, bool has_gid) {
  model::RdmaPort port;
  port.state = "ACTIVE";
  port.link_layer = link_layer;
  if (has_gid) port.gids = {{.index = 3, .gid = "fe80::1", .type = "RoCE v2", .netdev = "eth0"}};
  model::RdmaDevice device;
  device.name = "mlx5_0";
  device.ports = {port};
  host.rdma = {device};
}

model::Advice advise(const InputRun& run) {
  const std::vector<InputRun> runs{run};
  return advice_named(recommend(runs).advice, "NCCL_IB_DISABLE");
}

TEST(IbDisable, IsUnsetWhereNoHostHasRdma) {
  const auto advice = advise(simple_run({wire({})}));
  EXPECT_EQ(advice.value, std::nullopt);
  EXPECT_THAT(advice.reason, HasSubstr("falls back to sockets by itself"));
}

TEST(IbDisable, IsUnsetWhereEveryHostCanUseRdma) {
  auto run = simple_run({wire({})});
  for (auto& host : run.record.hosts) add_rdma(host, "InfiniBand", false);
  EXPECT_EQ(advise(run).value, std::nullopt);
}

TEST(IbDisable, IsSetWhereHostsDiffer) {
  auto run = simple_run({wire({})});
  add_rdma(run.record.hosts[0], "InfiniBand", false);
  const auto advice = advise(run);
  EXPECT_EQ(advice.value, "1");
  EXPECT_THAT(advice.reason, HasSubstr("RDMA can be used on 1 host (node1)"));
  EXPECT_TRUE(advice.cost.has_value());
}

TEST(IbDisable, IsSetWhereAPortHasNoGidInThisNamespace) {
  auto run = simple_run({wire({})});
  for (auto& host : run.record.hosts) add_rdma(host, "Ethernet", false);
  EXPECT_EQ(advise(run).value, "1");
}

}  // namespace
}  // namespace ringwise::recommend::test
