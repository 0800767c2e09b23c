// Tests of advice over several network modes: by measurement, and by what the job asks for.
#include "recommend/modes.h"

#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

#include "recommend/pod_files.h"
#include "recommend/recommend.h"
#include "run_builder.h"

namespace ringwise::recommend::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A run of two pods or hosts whose measured interface and whole pod are of `mode`.
InputRun detected_run(const std::string& mode, double us, const std::string& interface = "eth0") {
  const std::vector<std::string> names{interface, "docker0"};
  auto run = run_of({host_of("node1", 1, names), host_of("node2", 2, names)},
                    {{interface}, {interface}}, {wire({.us = us, .interface = interface})}, "");
  run.record.mode.label.reset();
  run.record.mode.detected = mode;
  for (auto& host : run.record.hosts) {
    for (auto& one : host.interfaces) {
      if (one.name == interface) one.mode = mode;
    }
  }
  run.record.results.front().nodes = 2;
  return run;
}

/// A secondary network whose pods say its name.
InputRun attached_run(const std::string& mode, double us, const std::string& network) {
  auto run = detected_run(mode, us, "net1");
  for (auto& host : run.record.hosts) {
    auto& added = host.networks.emplace_back();
    added.name = network;
    added.interface = "net1";
  }
  return run;
}

void give_rdma(InputRun& run, bool is_in_namespace) {
  for (auto& host : run.record.hosts) {
    auto& device = host.rdma.emplace_back();
    device.name = "mlx5_0";
    auto& port = device.ports.emplace_back();
    port.state = "ACTIVE";
    port.link_layer = "Ethernet";
    auto& gid = port.gids.emplace_back();
    gid.index = 3;
    gid.type = "RoCE v2";
    if (is_in_namespace) gid.netdev = "net1";
  }
}

std::string chosen(const std::vector<InputRun>& runs, const Constraints& constraints = {}) {
  return gather(runs, constraints).mode;
}

TEST(Modes, AreTakenByTheirGainFromCheapToCostly) {
  const auto overlay = detected_run("overlay-tunnel", 100000);
  const auto macvlan = detected_run("multus-macvlan", 95000, "net1");
  EXPECT_EQ(chosen({overlay, macvlan}), "multus-macvlan");
  EXPECT_EQ(chosen({macvlan, detected_run("host", 94000), overlay}), "multus-macvlan");
  EXPECT_EQ(chosen({macvlan, detected_run("host", 80000), overlay}), "host");
  EXPECT_EQ(chosen({overlay, detected_run("multus-sriov-vf", 98000, "net1")}), "overlay-tunnel");
}

TEST(Modes, OfOneFamilyAreToldApart) {
  const auto macvlan = detected_run("multus-macvlan", 95000, "net1");
  EXPECT_EQ(chosen({macvlan, detected_run("multus-sriov-vf", 94000, "net1")}), "multus-macvlan");
  EXPECT_EQ(chosen({macvlan, detected_run("multus-sriov-vf", 50000, "net1")}), "multus-sriov-vf");
}

TEST(Modes, WithoutAUsableMeasurementAreNoChoice) {
  auto overlay = detected_run("overlay-tunnel", 100000);
  overlay.record.results.front().status = model::Status::kFailed;
  const std::vector<InputRun> runs{overlay, detected_run("host", 99000)};
  const auto evidence = gather(runs);
  EXPECT_EQ(evidence.mode, "host");
  EXPECT_THAT(evidence.mode_alternatives, ElementsAre(HasSubstr("cannot be compared")));
}

TEST(Modes, AreComparedAtTheLargestSizeThatBothHave) {
  auto overlay = detected_run("overlay-tunnel", 100000);
  overlay.record.results.front().sizes.pop_back();
  EXPECT_EQ(chosen({overlay, detected_run("host", 50000)}), "host");
}

TEST(Modes, OfOtherNumbersOfHostsAreNotCompared) {
  auto host = detected_run("host", 50000);
  host.record.results.front().nodes = 3;
  const std::vector<InputRun> runs{detected_run("overlay-tunnel", 100000), host};
  const auto evidence = gather(runs);
  EXPECT_EQ(evidence.mode, "overlay-tunnel");
  EXPECT_THAT(evidence.mode_alternatives, ElementsAre(HasSubstr("ranks on")));
}

TEST(Modes, GiveTheOthersWithTheirRateAndTheirCost) {
  const std::vector<InputRun> runs{detected_run("overlay-tunnel", 100000),
                                   detected_run("host", 97000)};
  const auto advice = advice_named(recommend(runs).advice, "spec.hostNetwork");
  EXPECT_EQ(advice.value, std::nullopt);
  ASSERT_EQ(advice.alternatives.size(), 1U);
  EXPECT_THAT(advice.alternatives[0], HasSubstr("host: 1.031"));
  EXPECT_THAT(advice.alternatives[0], HasSubstr("it would cost: NetworkPolicy"));
  EXPECT_THAT(advice.reason, Not(HasSubstr("no other mode was measured")));
}

struct Ruled {
  const char* name;
  Constraints constraints;
  const char* why;
};

TEST(Modes, AreRuledOutByWhatTheJobAsksFor) {
  const std::vector<Ruled> cases{
      {"restricted", {.pod_security = PodSecurity::kRestricted}, "level restricted refuses"},
      {"baseline", {.pod_security = PodSecurity::kBaseline}, "level baseline refuses"},
      {"policy", {.needs_network_policy = true}, "NetworkPolicy does not apply"},
      {"provider", {.provider = "coreweave"}, "no hostNetwork"},
      {"rdma", {.needs_rdma = true}, "needs RDMA"}};
  for (const auto& one : cases) {
    auto overlay = detected_run("overlay-tunnel", 100000);
    if (one.constraints.needs_rdma) give_rdma(overlay, true);
    const std::vector<InputRun> runs{overlay, detected_run("host", 50000)};
    EXPECT_EQ(chosen(runs), "host") << one.name;
    const auto evidence = gather(runs, one.constraints);
    EXPECT_EQ(evidence.mode, "overlay-tunnel") << one.name;
    ASSERT_EQ(evidence.mode_alternatives.size(), 1U) << one.name;
    EXPECT_THAT(evidence.mode_alternatives[0], HasSubstr(one.why)) << one.name;
  }
}

TEST(Modes, GiveNoPodWhenEveryMeasuredOneIsRuledOut) {
  const std::vector<InputRun> runs{detected_run("host", 100000)};
  const auto made = recommend(runs, {.pod_security = PodSecurity::kBaseline});
  EXPECT_FALSE(made.is_complete);
  EXPECT_FALSE(made.pod.has_value());
  for (const auto& advice : made.advice) {
    EXPECT_EQ(advice.value, std::nullopt) << advice.name;
    EXPECT_THAT(advice.reason, HasSubstr("no measured mode")) << advice.name;
  }
  EXPECT_THAT(advice_named(made.advice, "spec.hostNetwork").reason,
              HasSubstr("refuses hostNetwork"));
}

TEST(Modes, HaveNoRdmaWhereThePodSeesOnlyTheNodesGids) {
  auto shared = detected_run("multus-macvlan", 100000, "net1");
  give_rdma(shared, false);
  const Constraints rdma{.needs_rdma = true};
  EXPECT_FALSE(gather(std::vector<InputRun>{shared}, rdma).is_complete);
  auto own = detected_run("multus-macvlan", 100000, "net1");
  give_rdma(own, true);
  EXPECT_TRUE(gather(std::vector<InputRun>{own}, rdma).is_complete);
}

TEST(Modes, WithRdmaNeedIpcLockUnlessThePodsMemlockIsRaised) {
  auto run = detected_run("multus-sriov-vf", 100000, "net1");
  give_rdma(run, true);
  const Constraints rdma{.needs_rdma = true};
  const Constraints restricted{.needs_rdma = true, .pod_security = PodSecurity::kRestricted};
  EXPECT_TRUE(recommend(std::vector<InputRun>{run}, rdma).pod->needs_ipc_lock);
  EXPECT_FALSE(gather(std::vector<InputRun>{run}, restricted).is_complete);
  for (auto& host : run.record.hosts) {
    host.pod = "worker";
    host.limits.is_memlock_unlimited = true;
  }
  const auto made = recommend(std::vector<InputRun>{run}, restricted);
  ASSERT_TRUE(made.pod.has_value());
  EXPECT_FALSE(made.pod->needs_ipc_lock);
}

TEST(Modes, CountAsDetectedWhereTheLabelContradicts) {
  auto run = detected_run("overlay-tunnel", 100000);
  run.record.mode.label = "host";
  const std::vector<InputRun> runs{run};
  EXPECT_EQ(chosen(runs), "overlay-tunnel");
  EXPECT_THAT(gather(runs).mode_notes, ElementsAre(HasSubstr("the label says host")));
}

TEST(Modes, OfOneRunWithSeveralInterfacesAreToldApartByTheInterface) {
  auto run = detected_run("overlay-tunnel", 100000);
  auto& record = run.record;
  for (auto& host : record.hosts) {
    auto net1 = interface_of("net1", 9, 9, host.host == "node1" ? 1 : 2);
    net1.mode = "multus-macvlan";
    host.interfaces.push_back(net1);
  }
  record.results.push_back(wire({.us = 50000, .interface = "net1"}));
  record.results.back().nodes = 2;
  const std::vector<InputRun> runs{run};
  const auto evidence = gather(runs);
  EXPECT_EQ(evidence.mode, "multus-macvlan");
  EXPECT_TRUE(evidence.is_complete);
  const auto name = advice_named(recommend(runs).advice, "NCCL_SOCKET_IFNAME");
  EXPECT_EQ(name.value, "=net1");
}

YAML::Node pod_of(const InputRun& run, const Constraints& constraints = {}) {
  const auto made = recommend(std::vector<InputRun>{run}, constraints);
  return YAML::Load(pod_files(*made.pod, made.advice, made.origin)[0].text);
}

TEST(PodOfAMode, NamesTheAttachmentThatWasMeasured) {
  const auto pod = pod_of(attached_run("multus-macvlan", 100000, "train/rail0"));
  EXPECT_EQ(pod["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"].as<std::string>(),
            "train/rail0@net1");
  EXPECT_FALSE(pod["spec"]["containers"][0]["resources"]["limits"][kResourcePlaceholder]);
}

TEST(PodOfAMode, AsksForTheDeviceOfItsAttachment) {
  const auto pod = pod_of(attached_run("multus-sriov-vf", 100000, "train/rail0"));
  EXPECT_EQ(
      pod["spec"]["containers"][0]["resources"]["limits"][kResourcePlaceholder].as<std::string>(),
      "1");
}

TEST(PodOfAMode, TakesNoNameThatIsNone) {
  const auto pod = pod_of(attached_run("multus-macvlan", 100000, "x\", \"evil"));
  EXPECT_EQ(pod["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"].as<std::string>(),
            kNetworkPlaceholder);
}

TEST(PodOfAMode, HasGkesAnnotationsOnItsMultiNetwork) {
  const auto pod = pod_of(attached_run("gke-multinet", 100000, "vpc1"));
  EXPECT_EQ(pod["metadata"]["annotations"]["networking.gke.io/interfaces"].as<std::string>(),
            R"([{"interfaceName":"eth0","network":"default"},)"
            R"({"interfaceName":"net1","network":"vpc1"}])");
}

TEST(PodOfAMode, MovesSshdAwayFromTheNodesPort) {
  const std::vector<InputRun> runs{detected_run("host", 100000)};
  EXPECT_EQ(advice_named(recommend(runs, {.ssh_port = 22}).advice, "port of sshd").value, "2222");
  const auto with_its_own = recommend(runs, {.ssh_port = 2222}).advice;
  EXPECT_THAT(with_its_own,
              Not(::testing::Contains(::testing::Field(&model::Advice::name, "port of sshd"))));
}

TEST(VendorProfile, IsNamedAndTheTuningLeftToIt) {
  const auto overlay = [] {
    auto run = detected_run("overlay-tunnel", 100000);
    run.record.results.push_back(wire({.us = 50000, .threads = 4}));
    run.record.results.back().nodes = 2;
    return run;
  };
  auto run = overlay();
  EXPECT_EQ(
      advice_named(recommend(std::vector<InputRun>{run}).advice, "NCCL_SOCKET_NTHREADS").value,
      "4");
  for (auto& host : run.record.hosts) {
    auto& device = host.pci.emplace_back();
    device.vendor = "0x1d0f";
    device.device = "0xefa2";
  }
  const auto advice = recommend(std::vector<InputRun>{run}).advice;
  EXPECT_EQ(advice_named(advice, "NCCL_SOCKET_NTHREADS").value, std::nullopt);
  EXPECT_THAT(advice_named(advice, "NCCL_SOCKET_NTHREADS").reason, HasSubstr("AWS EFA"));
  const auto said = recommend(std::vector<InputRun>{overlay()}, {.provider = "oci"}).advice;
  EXPECT_THAT(said, ::testing::Contains(::testing::Field(&model::Advice::id, "vendor-profile")));
}

}  // namespace
}  // namespace ringwise::recommend::test
