// What the supervisor tells the worker arrives whole.
#include "probe/stage_json.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace ringwise::probe {
namespace {

TEST(StageJson, EveryMemberArrives) {
  StageSpec spec;
  spec.probe = "tcp-allreduce";
  spec.rank = 3;
  spec.ranks = 7;
  spec.hosts = {"a", "b\"c"};
  spec.token = "00112233445566778899aabbccddeeff";
  spec.seed = 0xFFFFFFFFFFFFFFFFU;
  spec.sizes = {8, std::uint64_t{1} << 40};
  spec.channels = {1, 2};
  spec.threads = {0};
  spec.sockets = {4};
  spec.first_block = 2;
  spec.blocks = 1;
  spec.interface = "=eth0";
  spec.each_interface = {"eth0", "net1"};
  spec.mode = "overlay";
  spec.settings_name = "nccl.env";
  spec.settings = {{"NCCL_SOCKET_NTHREADS", "4"}};
  spec.budget_s = 1.5;
  spec.timeout_s = 2.5;
  spec.stall_s = 0.5;
  spec.on_busy_fabric = true;
  spec.corrupt = "rank:1";
  const auto text = to_json_line(spec);
  const auto back = stage_spec_from_json(text);
  EXPECT_EQ(to_json_line(back), text);
  EXPECT_EQ(back.seed, spec.seed);
  EXPECT_EQ(back.hosts, spec.hosts);
  EXPECT_EQ(back.settings, spec.settings);
  EXPECT_EQ(back.corrupt, spec.corrupt);
}

TEST(StageJson, AbsentStaysAbsent) {
  const auto back = stage_spec_from_json(to_json_line(StageSpec{}));
  EXPECT_FALSE(back.interface);
  EXPECT_FALSE(back.mode);
  EXPECT_FALSE(back.corrupt);
}

TEST(StageJson, OtherTextIsRefused) {
  for (const char* text : {"", "{}", "[]", "{\"probe\":3}", "\xff"}) {
    EXPECT_THROW((void)stage_spec_from_json(text), Error) << text;
  }
}

}  // namespace
}  // namespace ringwise::probe
