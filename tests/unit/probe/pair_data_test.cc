// Rows of a pair, and a stall that the path explains.
#include "probe/pair_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringwise::probe {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

StageSpec spec() {
  StageSpec spec;
  spec.rank = 0;
  spec.ranks = 2;
  spec.hosts = {"node1", "node2"};
  return spec;
}

/// A route's MTU and what arrives.
model::PathMtu path_of(int route_mtu, int forward_mtu) {
  model::PathMtu path;
  path.device_mtu = route_mtu;
  path.route_mtu = route_mtu;
  path.forward_mtu = forward_mtu;
  return path;
}

PathFindings findings(const model::PathMtu& forward, const model::PathMtu& backward = {}) {
  PathFindings found;
  found.forward = forward;
  found.backward = backward;
  return found;
}

PairData measured() {
  PairData data;
  for (const double rate : {1e9, 3e9, 2e9}) {
    data.one_way.add({.bytes_per_s = rate,
                      .payload_bytes = 500'000'000,
                      .sender_cpu_s = rate / 1e10,
                      .receiver_cpu_s = 0.4});
  }
  data.one_way.retransmits = 7;
  data.both.add({.bytes_per_s = 1e9, .payload_bytes = 1000});
  data.path = findings(path_of(1500, 1500));
  data.path_mtu = 1500;
  data.congestion_control = "cubic";
  return data;
}

Failure stall(const char* sign) {
  return {"rank 1 (node2) over eth0 takes nothing for 5.0 s",
          {.peer = 1, .interface = "eth0", .step = {}, .sign = sign}};
}

TEST(RowOf, GivesCpuTimeForTenToTheNinthBytes) {
  const auto row = row_of(spec(), "eth0", 1, measured(), false);
  EXPECT_DOUBLE_EQ(row.gbit_per_s.value(), 16);
  EXPECT_DOUBLE_EQ(row.cpu_s_per_gbyte_src.value(), 0.4);
  EXPECT_DOUBLE_EQ(row.cpu_s_per_gbyte_dst.value(), 0.8);
  EXPECT_EQ(row.payload_bytes, 1'500'000'000U);
  EXPECT_EQ(row.retransmits, 7U);
  EXPECT_EQ(row.congestion_control, "cubic");
  ASSERT_TRUE(row.path);
  EXPECT_EQ(row.path->forward_mtu, 1500);
}

TEST(RowOf, BothWaysHaveNoPathAndNoCpuTime) {
  const auto row = row_of(spec(), "eth0", 1, measured(), true);
  EXPECT_EQ(row.payload_bytes, 1000U);
  EXPECT_EQ(row.retransmits, 0U);
  EXPECT_FALSE(row.path);
  EXPECT_FALSE(row.cpu_s_per_gbyte_src);
  EXPECT_FALSE(row.congestion_control);
}

TEST(RowOf, KeepsThePathOfAPairThatFailed) {
  PairData data;
  data.path = findings(path_of(1500, 1400));
  data.failure = stall("unacknowledged");
  const auto row = row_of(spec(), "eth0", 1, data, false);
  EXPECT_EQ(row.status, model::Status::kFailed);
  ASSERT_TRUE(row.path);
  EXPECT_EQ(row.path->forward_mtu, 1400);
  EXPECT_FALSE(row.gbit_per_s);
  EXPECT_FALSE(row.payload_bytes);
  EXPECT_FALSE(row.retransmits);
}

TEST(Explained, AStallBelowTheRoutesMtuHasTheMtuAsItsReason) {
  PairData data;
  data.path = findings(path_of(1450, 1400));
  const auto failure = explained(spec(), 1, data, stall("unacknowledged"));
  EXPECT_THAT(failure.text,
              StartsWith("packets above 1400 bytes do not arrive (the kernel sends up to 1450): "
                         "mtu, rank 0 (node1) to rank 1 (node2)"));
  EXPECT_THAT(failure.text, HasSubstr("takes nothing for 5.0 s"));
  EXPECT_EQ(failure.place.sign, "mtu");
  EXPECT_EQ(failure.place.peer, 1);
}

TEST(Explained, TheOtherDirectionCountsToo) {
  PairData data;
  data.path = findings(path_of(1500, 1500), path_of(1500, 1400));
  EXPECT_THAT(explained(spec(), 1, data, stall("silent")).text,
              HasSubstr("rank 1 (node2) to rank 0 (node1)"));
}

TEST(Explained, WhatThePathDoesNotExplainStaysAsItIs) {
  PairData data;
  EXPECT_EQ(explained(spec(), 1, data, stall("silent")).place.sign, "silent");
  data.path = findings(path_of(1500, 1400));
  EXPECT_EQ(explained(spec(), 1, data, stall("no-connection")).place.sign, "no-connection");
  // A loopback's MTU is larger than any packet.
  data.path = findings(path_of(65536, 65535));
  EXPECT_EQ(explained(spec(), 1, data, stall("silent")).place.sign, "silent");
  data.path->forward.forward_mtu.reset();
  EXPECT_EQ(explained(spec(), 1, data, stall("silent")).place.sign, "silent");
}

}  // namespace
}  // namespace ringwise::probe
