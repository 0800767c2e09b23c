// Tests of a host's facts as text.
#include "report/host_text.h"

#include <gmock/gmock.h>

#include "golden.h"
#include "sample_record.h"

namespace ringwise::report::test {
namespace {

using ::testing::HasSubstr;

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

TEST(HostText, SaysWhatIsNotKnownInsteadOfZero) {
  const auto text = host_text({}, {});
  EXPECT_THAT(text, HasSubstr("none could be read"));
  EXPECT_THAT(text, HasSubstr("size not known"));
  EXPECT_THAT(text, HasSubstr("- of - allowed"));
}

}  // namespace
}  // namespace ringwise::report::test
