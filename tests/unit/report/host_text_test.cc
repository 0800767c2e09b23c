// Tests of a host's facts as text.
#include "report/host_text.h"

#include <gmock/gmock.h>

#include "golden.h"
#include "sample_record.h"

namespace ringwise::report::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(HostText, IsTheGoldenText) {
  auto host = sample_record().hosts.front();
  host.default_interface = "eth0";
  model::RdmaPort port;
  port.state = "ACTIVE";
  port.link_layer = "Ethernet";
  port.rate = "200 Gb/sec (4X HDR)";
  port.gids = {{.index = 3, .gid = "::ffff:10.0.0.1", .type = "RoCE v2", .netdev = "eth0"}};
  model::RdmaDevice device;
  device.name = "mlx5_0";
  device.ports = {port};
  host.rdma = {device};
  host.interfaces.front().mode = "host";
  host.interfaces.front().route_mtu = 1450;
  host.interfaces.front().physical_function = "0000:3b:00.0";
  host.cpus.quota_cpus = 7.5;
  host.shm.size_bytes = 64 << 20;
  host.shm.used_bytes = 0;
  host.problems = {"/sys/class/net/eth0/speed: Invalid argument"};
  expect_golden("report/host.txt", host_text(host, sample_record().mode));
}

TEST(HostText, ShowsOffloadsAndQueuesAsFarAsTheyAreKnown) {
  model::Host host;
  host.interfaces.resize(3);
  auto& nic = host.interfaces[0];
  nic.name = "eth0";
  nic.is_up = true;
  nic.offloads = model::Offloads{};
  nic.offloads->tso = false;
  nic.offloads->gro = true;
  nic.rx_queues = 8;
  nic.irq_cpus = "0-3";
  host.interfaces[1].name = "eth1";
  host.interfaces[1].is_up = true;
  host.interfaces[2] = nic;
  host.interfaces[2].name = "down0";
  host.interfaces[2].is_up = false;
  host.tcp.tcp_rmem_max_bytes = 6 << 20;
  host.tcp.mtu_probing = 0;
  const auto text = host_text(host, {});
  EXPECT_THAT(text, HasSubstr("\nOffloads and queues\n  eth0: TSO off, GRO on, queues 8 rx - tx, "
                              "interrupts on CPUs 0-3\n"));
  EXPECT_THAT(text, Not(HasSubstr("eth1:")));
  EXPECT_THAT(text, Not(HasSubstr("down0:")));
  EXPECT_THAT(text, HasSubstr("buffers up to 6 MiB in, ? out, MTU probing 0"));
  EXPECT_THAT(host_text({}, {}), Not(HasSubstr("Offloads")));
}

TEST(HostText, SaysWhatIsNotKnownInsteadOfZero) {
  const auto text = host_text({}, {});
  EXPECT_THAT(text, HasSubstr("none could be read"));
  EXPECT_THAT(text, HasSubstr("size not known"));
  EXPECT_THAT(text, HasSubstr("- of - allowed"));
}

}  // namespace
}  // namespace ringwise::report::test
