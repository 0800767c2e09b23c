// Rules over run records: each names its cause and place, and blames nothing else.
#include "diagnose/diagnose.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "knowledge/causes.h"

namespace ringwise::diagnose {
namespace {

using model::Finding;
using model::RunRecord;
using model::Severity;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kHosts = 3;

model::Result pairs() {
  model::Result result;
  result.probe = "tcp-pairs";
  result.interface = "eth0";
  result.transport = "tcp";
  result.nodes = kHosts;
  result.path_proof.state = model::ProofState::kProved;
  for (int src = 0; src < kHosts; ++src) {
    for (int dst = 0; dst < kHosts; ++dst) {
      if (src == dst) continue;
      model::PairResult pair;
      pair.src = src;
      pair.dst = dst;
      pair.round = src + dst - 1;
      pair.direction = "one-way";
      pair.gbit_per_s = 0.95;
      pair.high = 0.96;
      pair.path_mtu = 1500;
      pair.retransmits = 0;
      pair.payload_bytes = 200'000'000;
      pair.path =
          model::PathMtu{.device_mtu = 1500, .route_mtu = 1500, .forward_mtu = 1500, .reason = {}};
      result.pairs.push_back(pair);
    }
  }
  return result;
}

model::Result wire(double gbyte_per_s) {
  model::Result result;
  result.probe = "tcp-allreduce";
  result.variant = "wire";
  result.interface = "eth0";
  result.transport = "tcp";
  result.nodes = kHosts;
  result.channels = 2;
  result.path_proof.state = model::ProofState::kProved;
  model::SizeResult size;
  size.bytes = 4 << 20;
  size.busbw_gbyte_per_s = gbyte_per_s;
  result.sizes.push_back(size);
  return result;
}

RunRecord healthy() {
  RunRecord record;
  record.complete = true;
  for (int i = 0; i < kHosts; ++i) {
    model::Host host;
    host.host = "node" + std::to_string(i + 1);
    model::Interface eth0;
    eth0.name = "eth0";
    eth0.is_running = true;
    eth0.mode = "host";
    eth0.addresses.push_back({.family = "inet", .address = "10.0.0.1", .scope = "global"});
    eth0.offloads = model::Offloads{
        .tso = true, .gso = true, .gro = false, .tx_checksum = true, .rx_checksum = true};
    host.interfaces.push_back(eth0);
    record.hosts.push_back(host);
    model::Rank rank;
    rank.rank = i;
    rank.host = host.host;
    rank.interfaces = {"eth0"};
    record.ranks.push_back(rank);
  }
  record.results = {wire(0.119), pairs()};
  return record;
}

model::Diagnosis diagnosed(const RunRecord& record) {
  const InputRun run{.source = "run.json", .record = &record};
  return diagnose({&run, 1});
}

std::vector<std::string> causes(const RunRecord& record) {
  std::vector<std::string> all;
  for (const auto& finding : diagnosed(record).findings) all.push_back(finding.cause);
  return all;
}

Finding only(const RunRecord& record) {
  const auto diagnosis = diagnosed(record);
  EXPECT_EQ(diagnosis.findings.size(), 1U);
  return diagnosis.findings.empty() ? Finding{.cause = "", .title = "", .why = "", .rule = ""}
                                    : diagnosis.findings.front();
}

/// Calls `change` for each pair that has this rank at an end.
void change_pairs(RunRecord& record, int rank,
                  const std::function<void(model::PairResult&)>& change) {
  for (auto& pair : record.results[1].pairs) {
    if (pair.src == rank || pair.dst == rank) change(pair);
  }
}

TEST(Diagnose, FindsNothingInAHealthyRun) {
  const auto diagnosis = diagnosed(healthy());
  EXPECT_THAT(diagnosis.findings, IsEmpty());
  EXPECT_THAT(diagnosis.unknown, IsEmpty());
}

TEST(Diagnose, SaysThatARunIsNotComplete) {
  auto record = healthy();
  record.complete = false;
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("not complete")));
}

TEST(Diagnose, SaysWhatIsNotDecidedWithoutPairs) {
  auto record = healthy();
  record.results.pop_back();
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("--probes tcp-pairs")));
}

TEST(Diagnose, NamesTheHostWhereLargePacketsAreLost) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.path->forward_mtu = 1400; });
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "mtu-mismatch");
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.title, "packets above 1400 bytes are lost on eth0 of node2");
  EXPECT_EQ(finding.settings.at(0).value, "1400");
  EXPECT_THAT(finding.evidence.at(0).text, HasSubstr("the kernel sends 1500"));
}

TEST(Diagnose, NamesTheHostWhoseRoutesAreLowered) {
  auto record = healthy();
  for (auto& pair : record.results[1].pairs) {
    if (pair.src == 1) pair.path->route_mtu = pair.path->forward_mtu = 1400;
  }
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "mtu-mismatch");
  EXPECT_THAT(finding.title, HasSubstr("routes of node2 over eth0 have MTU 1400"));
}

// Cilium keeps the tunnel's MTU on the route: all hosts alike are no fault.
TEST(Diagnose, LeavesRoutesAloneThatAreLoweredEverywhere) {
  auto record = healthy();
  for (auto& pair : record.results[1].pairs) {
    pair.path->route_mtu = pair.path->forward_mtu = 1450;
  }
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(Diagnose, NamesTheHostWithoutOffloads) {
  auto record = healthy();
  record.hosts[1].interfaces[0].offloads->tso = false;
  record.hosts[1].interfaces[0].offloads->gso = false;
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "offload-disabled");
  EXPECT_THAT(finding.title, HasSubstr("tso gso of eth0 are off on node2"));
  EXPECT_EQ(finding.settings.at(0).value, "ethtool -K eth0 tso on gso on");
}

TEST(Diagnose, NamesTheHostThatLosesPackets) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.retransmits = 3000; });
  // A stage that the loss brought to its end does not make the path dead.
  model::Problem problem;
  problem.sign = "unacknowledged";
  problem.host = "node2";
  problem.peer_host = "node1";
  record.problems.push_back(problem);
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "packet-loss");
  EXPECT_THAT(finding.title, HasSubstr("node2 loses packets on eth0: 2.2 %"));
  EXPECT_EQ(finding.evidence.size(), 4U);
}

TEST(Diagnose, BlamesNobodyForLossThatAllHave) {
  auto record = healthy();
  for (auto& pair : record.results[1].pairs) pair.retransmits = 3000;
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(Diagnose, TakesNoOverflowingQueueForLoss) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) {
    pair.retransmits = 5000;  // of about 138,000 segments
    pair.latency_us_p99 = 60;
  });
  EXPECT_THAT(causes(record), IsEmpty());
  EXPECT_THAT(diagnosed(record).unknown, ElementsAre(HasSubstr("a queue overflows")));
  // A pair that shows less of it does not turn it into loss.
  record.results[1].pairs[2].retransmits = 1300;
  EXPECT_THAT(causes(record), IsEmpty());
  // What is lost at random takes small messages with it.
  change_pairs(record, 1, [](auto& pair) { pair.latency_us_p99 = 100'000; });
  EXPECT_THAT(causes(record), ElementsAre("packet-loss"));
}

TEST(Diagnose, LeavesOpenWhichOfTwoHostsLosesPackets) {
  auto record = healthy();
  record.hosts.pop_back();
  record.ranks.pop_back();
  std::erase_if(record.results[1].pairs,
                [](const auto& pair) { return pair.src == 2 || pair.dst == 2; });
  for (auto& pair : record.results[1].pairs) pair.retransmits = 3000;
  const auto diagnosis = diagnosed(record);
  EXPECT_THAT(diagnosis.findings, IsEmpty());
  EXPECT_THAT(diagnosis.unknown, ElementsAre(HasSubstr("between node1 and node2")));
}

TEST(Diagnose, SeesNoFlowLimitWherePairsShareALink) {
  auto record = healthy();
  record.results[0] = wire(0.0597);
  change_pairs(record, 1, [](auto& pair) {
    pair.gbit_per_s = 0.239;
    pair.high = 0.24;
  });
  EXPECT_THAT(causes(record), ElementsAre("too-few-streams"));
  for (auto& pair : record.results[1].pairs) pair.round = 0;
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(Diagnose, SeesALimitOfEachFlow) {
  auto record = healthy();
  record.results[0] = wire(0.0597);
  change_pairs(record, 1, [](auto& pair) {
    pair.gbit_per_s = 0.239;
    pair.high = 0.24;
  });
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "too-few-streams");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_THAT(finding.title, AllOf(HasSubstr("0.239 Gbit/s"), HasSubstr("2 carry 0.478")));
  // One setting does not show how many streams are enough: no value is guessed.
  const auto& setting = finding.settings.at(0);
  EXPECT_EQ(setting.name, "NCCL_SOCKET_NTHREADS");
  EXPECT_FALSE(setting.value);
  EXPECT_THAT(setting.measure.value_or(""), HasSubstr("--threads 0,1,2,4 --sockets 1,2,4"));
}

/// A run in which one stream of every pair carries a quarter of the link.
RunRecord capped(const std::vector<model::Result>& sweep) {
  auto record = healthy();
  record.results = sweep;
  record.results.push_back(pairs());
  for (auto& pair : record.results.back().pairs) pair.gbit_per_s = pair.high = 0.239;
  return record;
}

/// Blocks that take the same time but for a few per cent.
model::Result setting(int threads, int sockets, double gbyte_per_s) {
  auto result = wire(gbyte_per_s);
  result.threads = threads;
  result.sockets = sockets;
  for (int block = 0; block < 6; ++block) {
    result.sizes[0].block_medians_us.push_back(4194.304 / gbyte_per_s * (1 + 0.01 * (block % 3)));
  }
  return result;
}

TEST(Diagnose, NamesTheSmallestSettingOfASweepThatIsAsGoodAsTheBest) {
  const auto record = capped({setting(0, 0, 0.0597), setting(1, 1, 0.0597), setting(1, 2, 0.1190),
                              setting(2, 1, 0.1190), setting(2, 2, 0.1194), setting(4, 4, 0.1090)});
  auto finding = only(record);
  EXPECT_THAT(finding.title, HasSubstr("4 carry 0.952"));
  EXPECT_EQ(finding.settings.at(0).value, "1");
  EXPECT_EQ(finding.settings.at(1).value, "2");
  EXPECT_FALSE(finding.settings.at(0).measure);
  // Every block is slower by 4 %: then it is not as good.
  finding = only(capped({setting(0, 0, 0.0597), setting(1, 2, 0.1145), setting(2, 2, 0.1194)}));
  EXPECT_EQ(finding.settings.at(0).value, "2");
}

TEST(Diagnose, JudgesASweepAtTheSizeThatMostSettingsHave) {
  auto sweep = std::vector{setting(0, 0, 0.0597), setting(1, 2, 0.1190), setting(4, 4, 0.1090)};
  auto large = sweep[2].sizes[0];
  large.bytes = 64 << 20;
  large.busbw_gbyte_per_s = 0.1195;
  sweep[2].sizes.push_back(large);
  EXPECT_EQ(only(capped(sweep)).settings.at(0).value, "1");
}

TEST(Diagnose, ChangesNothingWhereTheDefaultIsAsGoodAsTheBest) {
  const auto record = capped({setting(0, 0, 0.1190), setting(1, 2, 0.1194)});
  const auto finding = only(record);
  EXPECT_EQ(finding.severity, Severity::kInfo);
  EXPECT_FALSE(finding.settings.at(0).value);
  EXPECT_FALSE(finding.settings.at(0).measure);
}

TEST(Diagnose, ComparesAStreamWithTheRingOfItsInterfaceOnly) {
  auto record = healthy();
  record.results[1].interface = "net1";
  change_pairs(record, 1, [](auto& pair) { pair.gbit_per_s = pair.high = 0.239; });
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(Diagnose, SeesThatTheBytesTookAnotherPath) {
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

TEST(Diagnose, SeesASecondaryNetworkThatIsNotUsed) {
  auto record = healthy();
  for (auto& host : record.hosts) {
    auto net1 = host.interfaces[0];
    net1.name = "net1";
    net1.mode = "multus-macvlan";
    host.interfaces.push_back(net1);
  }
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "secondary-network-unused");
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.settings.at(0).value, "=net1");
  record.mode.label = "overlay";  // measured on purpose
  EXPECT_EQ(only(record).severity, Severity::kInfo);
  record.ranks[0].interfaces = {"net1"};
  EXPECT_THAT(causes(record), IsEmpty());
}

TEST(Diagnose, SeesAWrongLabel) {
  auto record = healthy();
  record.mode.label = "overlay";
  record.mode.detected = "host";
  record.mode.evidence = {"devices of a node's CNI plugin: cni0"};
  EXPECT_EQ(only(record).cause, "mode-mislabelled");
}

/// Nothing was ever seen to pass between these ranks.
void kill_pairs(RunRecord& record, int a, int b) {
  for (auto& pair : record.results[1].pairs) {
    if (std::pair(std::min(pair.src, pair.dst), std::max(pair.src, pair.dst)) != std::pair(a, b)) {
      continue;
    }
    pair.status = model::Status::kFailed;
    pair.gbit_per_s.reset();
    pair.path.reset();
  }
}

model::Problem unanswered(const char* host, const char* peer) {
  model::Problem problem;
  problem.sign = "unacknowledged";
  problem.host = host;
  problem.peer_host = peer;
  problem.interface = "eth0";
  problem.text = "nothing is acknowledged";
  return problem;
}

TEST(Diagnose, SeesADeadPath) {
  auto record = healthy();
  kill_pairs(record, 1, 2);
  record.problems = {unanswered("node2", "node3"), unanswered("node3", "node2")};
  const auto finding = only(record);
  EXPECT_EQ(finding.cause, "path-blackhole");
  EXPECT_EQ(finding.title,
            "traffic between node2 and node3 on eth0 stays unanswered, after some got through");
  EXPECT_THAT(finding.why, HasSubstr("while other pairs work"));
  EXPECT_EQ(finding.evidence.size(), 2U);
}

/// A stage that ended because node2 did not acknowledge what it was sent over a connection.
model::Problem unacknowledged() {
  model::Problem problem;
  problem.sign = "unacknowledged";
  problem.host = "node2";
  problem.peer_host = "node3";
  problem.interface = "eth0";
  return problem;
}

TEST(Diagnose, DoesNotCallAPathDeadThatLosesLargePackets) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) {
    pair.path->forward_mtu = 1400;
    pair.status = model::Status::kFailed;
    pair.gbit_per_s.reset();
  });
  record.problems = {unacknowledged()};
  EXPECT_THAT(causes(record), ElementsAre("mtu-mismatch"));
}

TEST(Diagnose, DoesNotGuessWhyAConnectionStalledWhereNoPairWasTried) {
  auto record = healthy();
  record.results.pop_back();
  record.problems = {unacknowledged()};
  const auto diagnosis = diagnosed(record);
  EXPECT_THAT(diagnosis.findings, IsEmpty());
  EXPECT_THAT(diagnosis.unknown,
              ElementsAre(HasSubstr("no pair was probed"), HasSubstr("node2 and node3")));
  // Without even a connection it is clear.
  record.problems[0].sign = "no-connection";
  EXPECT_THAT(causes(record), ElementsAre("path-blackhole"));
}

TEST(Diagnose, SaysOfAPathWithoutConnectionNoMoreThanThat) {
  auto record = healthy();
  kill_pairs(record, 1, 2);
  record.problems = {unanswered("node2", "node3")};
  record.problems[0].sign = "no-connection";
  EXPECT_EQ(only(record).title, "no connection comes about between node2 and node3 on eth0");
}

TEST(Diagnose, SaysNotThatNothingPassedWhereSomethingDid) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.status = model::Status::kFailed; });
  record.problems = {unanswered("node2", "node3")};
  const auto finding = only(record);
  EXPECT_EQ(finding.title,
            "traffic between node2 and node3 on eth0 stays unanswered, after some got through");
}

TEST(Diagnose, TheHostThatAllDeadPathsShareIsCutOff) {
  auto record = healthy();
  kill_pairs(record, 0, 1);
  kill_pairs(record, 1, 2);
  record.problems = {unanswered("node1", "node2"), unanswered("node3", "node2")};
  EXPECT_EQ(only(record).title, "eth0 of node2 is cut off");
  // Without a pair that works it does not say so of others.
  kill_pairs(record, 0, 2);
  EXPECT_THAT(only(record).why, testing::Not(HasSubstr("other pairs work")));
}

TEST(Diagnose, AnInterfaceThatIsDownIsTheCauseOfWhatItsNeighboursSee) {
  auto record = healthy();
  kill_pairs(record, 0, 1);
  auto down = unanswered("node2", "node1");
  down.sign = "link-down";
  down.peer_host.reset();
  down.text = "eth0 is down on this host; rank 0 sends nothing";
  record.problems = {down, unanswered("node1", "node2")};
  const auto finding = only(record);
  EXPECT_EQ(finding.title, "eth0 of node2 is cut off: eth0 is down");
  EXPECT_EQ(finding.evidence.size(), 1U);
}

TEST(Diagnose, DoesNotCallASlowPathDead) {
  auto record = healthy();
  kill_pairs(record, 1, 2);
  auto slow = unanswered("node2", "node3");
  slow.sign = "slow";
  record.problems = {slow};
  const auto diagnosis = diagnosed(record);
  EXPECT_THAT(diagnosis.findings, IsEmpty());
  EXPECT_THAT(diagnosis.unknown, ElementsAre(HasSubstr("too slowly")));
}

TEST(Diagnose, WithoutPairsAnUnansweredRingIsNotDecided) {
  auto record = healthy();
  record.results.pop_back();
  record.problems = {unanswered("node2", "node3")};
  const auto diagnosis = diagnosed(record);
  EXPECT_THAT(diagnosis.findings, IsEmpty());
  EXPECT_THAT(diagnosis.unknown, testing::Contains(HasSubstr("node2 and node3 were connected")));
}

TEST(Diagnose, SaysThatNothingWasMeasured) {
  auto record = healthy();
  record.results.resize(1);
  record.results[0].sizes[0].busbw_gbyte_per_s.reset();
  EXPECT_FALSE(has_measurements(record));
  EXPECT_THAT(diagnosed(record).unknown, testing::Contains("run.json: nothing was measured"));
  record = healthy();
  EXPECT_TRUE(has_measurements(record));
  EXPECT_THAT(diagnosed(record).unknown, IsEmpty());
  for (auto& result : record.results) result.transport = "memory";
  EXPECT_THAT(diagnosed(record).unknown,
              testing::Contains("run.json: no traffic between hosts was measured"));
}

TEST(Diagnose, NamesCausesThatAreKnown) {
  auto record = healthy();
  change_pairs(record, 1, [](auto& pair) { pair.retransmits = 3000; });
  record.hosts[1].interfaces[0].offloads->tso = false;
  record.mode.label = "overlay";
  record.mode.detected = "host";
  const auto diagnosis = diagnosed(record);
  EXPECT_EQ(diagnosis.findings.size(), 3U);
  EXPECT_EQ(diagnosis.findings.front().severity, Severity::kError);
  const auto known = knowledge::Causes::load();
  for (const auto& finding : diagnosis.findings) {
    EXPECT_NE(known.find(finding.cause), nullptr) << finding.cause;
    EXPECT_FALSE(finding.rule.empty());
  }
}

}  // namespace
}  // namespace ringwise::diagnose
