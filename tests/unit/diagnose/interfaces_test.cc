// Rules about interfaces: another path, an unused network, a wrong label, offloads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "runs.h"

namespace ringwise::diagnose {
namespace {

using model::Severity;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A Multus network beside eth0.
void attach_net1(model::Host& host) {
  auto net1 = host.interfaces[0];
  net1.name = "net1";
  net1.mode = "multus-macvlan";
  host.interfaces.push_back(net1);
}

TEST(DiagnoseInterfaces, NamesTheHostWithoutOffloads) {
  auto record = healthy();
  record.hosts[1].interfaces[0].offloads->tso = false;
  record.hosts[1].interfaces[0].offloads->gso = false;
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "offload-disabled");
  EXPECT_THAT(finding.title, HasSubstr("tso gso of eth0 are off on node2"));
  EXPECT_EQ(finding.settings.at(0).value, "ethtool -K eth0 tso on gso on");
}

TEST(DiagnoseInterfaces, SeesThatTheBytesTookAnotherPath) {
  auto record = healthy();
  record.results[0].path_proof = {model::ProofState::kContradicted, "eth0 counted 0 bytes"};
  const auto unknown = only(record);
  EXPECT_EQ(unknown.cause, "wrong-interface");
  EXPECT_EQ(unknown.title, "the bytes did not go over eth0");
  EXPECT_EQ(unknown.settings.at(0).name, "routes of eth0");
  record.results[0].path_proof.carried_by = "eth1";
  const auto known = only(record);
  EXPECT_EQ(known.title, "the bytes did not go over eth0, but over eth1");
  EXPECT_EQ(known.settings.at(0).value, "=eth1");
}

TEST(DiagnoseInterfaces, NamesTheHostsWhoseBytesTookAnotherPath) {
  auto record = healthy();
  record.results[0].path_proof = {model::ProofState::kContradicted, "eth0 counted 0 bytes"};
  record.results[0].path_proof.carried_by = "net1";
  auto net1 = record.hosts[1].interfaces[0];
  net1.name = "net1";
  net1.mode = "multus-macvlan";
  record.hosts[1].interfaces.push_back(net1);
  model::Problem problem;
  problem.stage = "tcp-allreduce";
  problem.host = "node2";
  problem.interface = "eth0";
  problem.sign = "wrong-path";
  problem.text = "its bytes took another path";
  record.problems = {problem};
  const auto finding = only(record);  // net1 carried bytes: it is not unused
  EXPECT_EQ(finding.title, "the bytes did not go over eth0 of node2, but over net1");
  // The other hosts use eth0: it is the job's network.
  EXPECT_EQ(finding.settings.at(0).name, "routes of eth0");
  EXPECT_EQ(finding.settings.size(), 1U);
  EXPECT_THAT(finding.evidence.at(1).text, HasSubstr("node2: its bytes"));
}

TEST(DiagnoseInterfaces, SeesASecondaryNetworkThatIsNotUsed) {
  auto record = healthy();
  for (auto& host : record.hosts) attach_net1(host);
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "secondary-network-unused");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.settings.at(0).value, "=net1");
  record.mode.label = "overlay";  // measured on purpose
  EXPECT_EQ(only(record).severity, Severity::kInfo);
  record.ranks[0].interfaces = {"net1"};
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(DiagnoseInterfaces, CallsNoNetworkUnusedThatAnotherRunMeasured) {
  auto first = healthy();
  attach_net1(first.hosts[0]);
  auto second = first;
  for (auto& result : second.results) result.interface = "net1";
  const std::vector<InputRun> both{{.source = "a.json", .record = &first},
                                   {.source = "b.json", .record = &second}};
  EXPECT_EQ(causes(first).size(), 1U);
  EXPECT_THAT(diagnose(both).findings, IsEmpty());
}

TEST(DiagnoseInterfaces, SeesOffloadsThatAreOffOnMostHosts) {
  auto record = healthy();
  for (const std::size_t i : {0U, 1U}) {
    record.hosts[i].interfaces[0].offloads->tso = false;
  }
  EXPECT_THAT(causes(record), ElementsAre("offload-disabled", "offload-disabled"));
  record.hosts[2].interfaces[0].offloads->tso = false;
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(DiagnoseInterfaces, SeesAWrongLabel) {
  auto record = healthy();
  record.mode.label = "overlay";
  record.mode.detected = "host";
  record.mode.evidence = {"devices of a node's CNI plugin: cni0"};
  EXPECT_EQ(only(record).cause, "mode-mislabelled");
}

TEST(DiagnoseInterfaces, BlamesTheUnusedNetworkAndNotTheLabelThatMeansIt) {
  auto record = healthy();
  attach_net1(record.hosts[0]);
  record.mode.label = "multus";
  record.mode.detected = "overlay-tunnel";
  const auto found = diagnosed(record).findings;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].cause, "secondary-network-unused");
  EXPECT_EQ(found[0].severity, model::Severity::kWarning);
  EXPECT_EQ(found[1].cause, "mode-mislabelled");
  EXPECT_EQ(found[1].severity, model::Severity::kInfo);
}

}  // namespace
}  // namespace ringwise::diagnose
