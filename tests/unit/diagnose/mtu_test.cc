// Rules about MTU: holes on the path and lowered routes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "runs.h"

namespace ringwise::diagnose {
namespace {

using model::Severity;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(DiagnoseMtu, NamesTheHostWhereLargePacketsAreLost) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.path->forward_mtu = 1400; });
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "mtu-mismatch");
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.title, "packets above 1400 bytes are lost on eth0 of node2");
  EXPECT_EQ(finding.settings.at(0).value, "1400");
  EXPECT_THAT(finding.evidence.at(0).text, HasSubstr("the kernel sends 1500"));
  EXPECT_THAT(finding.why, HasSubstr("large ones stall"));
}

// TCP learns the size of the other end's device when it connects: nothing of it stalls.
TEST(DiagnoseMtu, DoesNotSayThatTcpStallsWhereTheDevicesDiffer) {
  auto record = healthy();
  for (auto& pair : record.results[1].pairs) {
    if (pair.src == 1) pair.path->device_mtu = pair.path->route_mtu = 1400;
    if (pair.src == 1 || pair.dst == 1) pair.path->forward_mtu = 1400;
  }
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "mtu-mismatch");
  EXPECT_THAT(finding.why, HasSubstr("TCP agrees on the smaller size"));
}

TEST(DiagnoseMtu, NamesTheHostWhoseRoutesAreLowered) {
  auto record = healthy();
  for (auto& pair : record.results[1].pairs) {
    if (pair.src == 1) pair.path->route_mtu = pair.path->forward_mtu = 1400;
  }
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "mtu-mismatch");
  EXPECT_THAT(finding.title, HasSubstr("routes of node2 over eth0 have MTU 1400"));
}

// Cilium keeps the tunnel's MTU on the route: all hosts alike are no fault.
TEST(DiagnoseMtu, LeavesRoutesAloneThatAreLoweredEverywhere) {
  auto record = healthy();
  for (auto& pair : record.results[1].pairs) {
    pair.path->route_mtu = pair.path->forward_mtu = 1450;
  }
  EXPECT_THAT(causes(record), IsEmpty());
}

}  // namespace
}  // namespace ringwise::diagnose
