// Whether a failure lies with the own interface.
#include "probe/own_link.h"

#include <gtest/gtest.h>

#include "comm/local_group.h"

namespace ringwise::probe {
namespace {

std::vector<model::Interface> net1() {
  model::Interface interface;
  interface.name = "net1";
  interface.is_up = true;
  interface.is_running = true;
  interface.addresses = {{.family = "inet", .address = "10.0.0.2", .scope = "global"}};
  return {interface};
}

TEST(LinkFault, SeesWhatHasBecomeOfTheInterface) {
  const LocalEnd end{"net1", "10.0.0.2"};
  auto now = net1();
  EXPECT_EQ(link_fault(end, now), "");
  now[0].addresses[0].address = "10.0.0.3";
  EXPECT_EQ(link_fault(end, now), "net1 has lost its address 10.0.0.2");
  now[0].is_running = false;
  EXPECT_EQ(link_fault(end, now), "net1 has no carrier");
  now[0].is_up = false;
  EXPECT_EQ(link_fault(end, now), "net1 is down");
  now[0].name = "net2";
  EXPECT_EQ(link_fault(end, now), "net1 is gone");
}

TEST(WithOwnLink, NamesThisHostAndNoPeer) {
  const StageSpec spec;
  comm::LocalGroup alone(1);
  // An address that no interface has: as after `ip addr del`.
  StageContext context{.spec = spec,
                       .comm = alone.at(0),
                       .deadline = base::Deadline::after({}),
                       .step = {},
                       .progress = {},
                       .ends = {{"lo", "192.0.2.1"}}};
  Failure failure{"rank 1 sends nothing", {}};
  failure.place = {.peer = 1, .interface = "lo", .step = "block 1", .sign = "silent"};
  const auto found = with_own_link(context, failure);
  EXPECT_EQ(found.text, "lo has lost its address 192.0.2.1 on this host; rank 1 sends nothing");
  EXPECT_EQ(found.place.sign, "link-down");
  EXPECT_EQ(found.place.step, "block 1");
  EXPECT_FALSE(found.place.peer);
  // Wrong data came over a link that worked; and another interface than the failed one is no cause.
  failure.place.sign = "wrong-data";
  EXPECT_EQ(with_own_link(context, failure).place.sign, "wrong-data");
  failure.place = {.peer = 1, .interface = "eth0", .step = "block 1", .sign = "silent"};
  EXPECT_EQ(with_own_link(context, failure).place.peer, 1);
}

}  // namespace
}  // namespace ringwise::probe
