// Tests of the pod rows and of pod.yaml.
#include "recommend/pod_files.h"

#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

#include "recommend/recommend.h"
#include "run_builder.h"

namespace ringwise::recommend::test {
namespace {

using ::testing::HasSubstr;

struct Made {
  Recommendation recommendation;
  YAML::Node pod;
  YAML::Node patch;
};

Made make(const InputRun& run) {
  const std::vector<InputRun> runs{run};
  Made made{recommend(runs), {}, {}};
  const auto files =
      pod_files(*made.recommendation.pod, made.recommendation.advice, made.recommendation.origin);
  made.pod = YAML::Load(files[0].text);
  made.patch = YAML::Load(files[1].text);
  return made;
}

TEST(Pod, HasHostNetworkWithItsDnsPolicyAndSaysWhatItCosts) {
  const auto made = make(simple_run({wire({})}, "host"));
  EXPECT_TRUE(made.pod["spec"]["hostNetwork"].as<bool>());
  EXPECT_EQ(made.pod["spec"]["dnsPolicy"].as<std::string>(), "ClusterFirstWithHostNet");
  EXPECT_THAT(advice_named(made.recommendation.advice, "spec.hostNetwork").cost.value_or(""),
              HasSubstr("NetworkPolicy"));
  EXPECT_THAT(advice_named(made.recommendation.advice, "spec.hostNetwork").reason,
              HasSubstr("no other mode was measured"));
}

TEST(Pod, HasTheMultusAnnotationToBeFilledIn) {
  const auto made = make(simple_run({wire({})}, "multus"));
  EXPECT_FALSE(made.pod["spec"]["hostNetwork"]);
  EXPECT_EQ(made.pod["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"].as<std::string>(),
            kNetworkPlaceholder);
  EXPECT_TRUE(made.patch["spec"]["template"]["metadata"]["annotations"]);
}

TEST(Pod, HasNeitherOnAnOverlay) {
  const auto made = make(simple_run({wire({})}, "overlay"));
  EXPECT_FALSE(made.pod["spec"]["hostNetwork"]);
  EXPECT_FALSE(made.pod["metadata"]["annotations"]);
}

TEST(Pod, HasNoHostNetworkWhenNoNetworkBetweenHostsWasMeasured) {
  const auto made =
      make(run_of({host_of("node1", 1, {"eth0"})}, {{"lo"}}, {wire({.interface = "lo"})}));
  EXPECT_FALSE(made.pod["spec"]["hostNetwork"]);
}

TEST(Pod, IsGuaranteedAndHoldsItsSharedMemory) {
  auto run = simple_run({wire({})});
  run.record.launch.ranks_per_node = {8, 8};
  const auto made = make(run);
  const auto container = made.pod["spec"]["containers"][0];
  for (const char* what : {"cpu", "memory"}) {
    EXPECT_EQ(container["resources"]["requests"][what].as<std::string>(),
              container["resources"]["limits"][what].as<std::string>());
  }
  EXPECT_EQ(container["resources"]["limits"]["cpu"].as<std::string>(), "16");
  const auto volume = made.pod["spec"]["volumes"][0];
  EXPECT_EQ(volume["emptyDir"]["medium"].as<std::string>(), "Memory");
  EXPECT_EQ(volume["emptyDir"]["sizeLimit"].as<std::string>(),
            gibibytes(made.recommendation.pod->shm_bytes));
  EXPECT_EQ(container["volumeMounts"][0]["mountPath"].as<std::string>(), "/dev/shm");
  const auto& pod = *made.recommendation.pod;
  EXPECT_GE(pod.shm_bytes, 2 * pod.shm.bytes);
  EXPECT_EQ(pod.memory_bytes, pod.job_bytes + pod.shm_bytes);
}

TEST(Pod, DropsEveryRight) {
  const auto made = make(simple_run({wire({})}));
  const auto context = made.pod["spec"]["containers"][0]["securityContext"];
  EXPECT_FALSE(context["allowPrivilegeEscalation"].as<bool>());
  EXPECT_EQ(context["capabilities"]["drop"][0].as<std::string>(), "ALL");
  EXPECT_FALSE(context["capabilities"]["add"]);
  EXPECT_TRUE(made.pod["spec"]["securityContext"]["runAsNonRoot"].as<bool>());
}

TEST(Pod, CarriesTheSettingsThatHoldEverywhere) {
  const auto made = make(simple_run({wire({}), wire({.us = 70000, .threads = 2})}));
  const auto env = made.pod["spec"]["containers"][0]["env"];
  ASSERT_TRUE(env);
  bool has_threads = false;
  for (const auto& one : env) {
    if (one["name"].as<std::string>() != "NCCL_SOCKET_NTHREADS") continue;
    has_threads = one["value"].as<std::string>() == "2";
  }
  EXPECT_TRUE(has_threads);
}

TEST(Pod, WarnsOfAQuotaWhereNoStaticCpuManagerIsSeen) {
  auto run = simple_run({wire({})});
  const char* cpu = "spec.containers[].resources cpu";
  EXPECT_THAT(advice_named(make(run).recommendation.advice, cpu).reason,
              HasSubstr("no static CPU manager"));
  for (auto& host : run.record.hosts) {
    host.cpus.allowed_count = 4;
    host.cpus.allowed = host.cpus.cpuset = "2-5";
  }
  EXPECT_THAT(advice_named(make(run).recommendation.advice, cpu).reason,
              ::testing::Not(HasSubstr("no static CPU manager")));
}

// mpirun binds to a core when it starts two ranks: that is no bound of the host.
TEST(Pod, DoesNotTakeALaunchersBindingForTheHostsCpus) {
  auto run = simple_run({wire({})});
  for (auto& host : run.record.hosts) {
    host.cpus.allowed_count = 1;
    host.cpus.allowed = "0";
  }
  const auto advice =
      advice_named(make(run).recommendation.advice, "spec.containers[].resources cpu");
  EXPECT_EQ(advice.value, "2");
  EXPECT_THAT(advice.reason, ::testing::Not(HasSubstr("bounded by")));
}

TEST(ShmSize, AsksTheHostForMoreWhereItIsTooSmall) {
  auto run = simple_run({wire({})});
  run.record.launch.ranks_per_node = {8, 8};
  for (auto& host : run.record.hosts) host.shm.size_bytes = kContainerShmBytes;
  const std::vector<InputRun> runs{run};
  const auto advice = recommend(runs).advice;
  EXPECT_EQ(advice_named(advice, "size of /dev/shm").where, "host");
  EXPECT_EQ(advice_named(advice, "spec.volumes[dshm].emptyDir.sizeLimit").state,
            model::AdviceState::kRequired);
}

}  // namespace
}  // namespace ringwise::recommend::test
