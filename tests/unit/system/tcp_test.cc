// Tests of the sysctls that limit a TCP connection.
#include "system/tcp.h"

#include <gtest/gtest.h>

#include "temporary_root.h"

namespace ringwise::system {
namespace {

TEST(ReadTcpLimits, TakesTheThirdValueOfTheTriples) {
  const auto limits = read_tcp_limits(fixture("roce-host"));
  EXPECT_EQ(limits.rmem_max_bytes, 212992U);
  EXPECT_EQ(limits.wmem_max_bytes, 212992U);
  EXPECT_EQ(limits.tcp_rmem_max_bytes, 6291456U);
  EXPECT_EQ(limits.tcp_wmem_max_bytes, 4194304U);
  EXPECT_EQ(limits.mtu_probing, 0);
}

TEST(ReadTcpLimits, WhatTheNamespaceDoesNotShowIsAbsent) {
  const TemporaryRoot machine;
  machine.write("/proc/sys/net/ipv4/tcp_rmem", "4096\t131072\n");
  machine.write("/proc/sys/net/ipv4/tcp_wmem", "4096 16384 many\n");
  machine.write("/proc/sys/net/ipv4/tcp_mtu_probing", "7\n");
  const auto limits = read_tcp_limits(machine.root());
  EXPECT_FALSE(limits.rmem_max_bytes);
  EXPECT_FALSE(limits.wmem_max_bytes);
  EXPECT_FALSE(limits.tcp_rmem_max_bytes);
  EXPECT_FALSE(limits.tcp_wmem_max_bytes);
  EXPECT_FALSE(limits.mtu_probing);
}

}  // namespace
}  // namespace ringwise::system
