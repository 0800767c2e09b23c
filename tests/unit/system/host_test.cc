// Tests of all facts together, on whole machines and on hostile ones.
#include "system/host.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/json.h"
#include "temporary_root.h"

namespace ringwise::system {
namespace {

namespace fs = std::filesystem;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

HostOptions without_nccl() {
  return {.find_nccl = false, .nccl = {}, .environment = std::nullopt};
}

/// Makes a machine with the folders, links and file names of another, and `text` in every file.
void copy_spoiled(const fs::path& from, const fs::path& to, std::string_view text) {
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const auto target = to / entry.path().lexically_relative(from);
    fs::create_directories(target.parent_path());
    if (entry.is_symlink()) {
      fs::copy_symlink(entry.path(), target);
    } else if (entry.is_regular_file()) {
      std::ofstream(target, std::ios::binary) << text;
    }
  }
}

TEST(ReadHost, ReadsEveryFixtureWithoutAProblem) {
  for (const auto& entry : fs::directory_iterator(fs::path(RINGWISE_FIXTURES) / "sysroot")) {
    const auto host = read_host({entry.path()}, without_nccl());
    // A build without hwloc says that it misses some places.
    EXPECT_THAT(host.problems, Each(StartsWith("topology: "))) << entry.path();
    EXPECT_NE(host.host, "") << entry.path();
    EXPECT_TRUE(host.kernel && host.boot_id && host.congestion_control) << entry.path();
  }
}

TEST(ReadHost, GathersFirmwareAndDriver) {
  const auto host = read_host(fixture("roce-host"), without_nccl());
  EXPECT_EQ(host.host, "gpu-a01");
  EXPECT_EQ(host.driver, "570.124.06");
  EXPECT_THAT(host.firmware, ElementsAre("mlx5_2 28.39.1002 (MT_0000000838)",
                                         "mlx5_10 28.39.1002 (MT_0000000838)"));
  EXPECT_EQ(host.default_interface, "eno1");
  EXPECT_EQ(host.gpus.size(), 2U);
}

TEST(ReadHost, RecordsTheGivenEnvironmentOnly) {
  auto options = without_nccl();
  options.environment = Environment{{"NCCL_DEBUG", "INFO"}, {"SECRET", "x"}};
  const auto host = read_host(fixture("roce-host"), options);
  EXPECT_THAT(host.environment, ElementsAre(::testing::Pair("NCCL_DEBUG", "INFO")));
  EXPECT_THAT(read_host(fixture("roce-host"), without_nccl()).environment, IsEmpty());
}

TEST(ReadHost, GivesAMachineWithoutAnythingInWords) {
  const TemporaryRoot machine;
  const auto host = read_host(machine.root(), without_nccl());
  EXPECT_THAT(host.interfaces, IsEmpty());
  EXPECT_THAT(host.rdma, IsEmpty());
  EXPECT_FALSE(host.cpus.online);
  EXPECT_FALSE(host.memory.total_bytes);
  EXPECT_FALSE(host.limits.memlock_soft_bytes);
  EXPECT_TRUE(host.shm.reason);
  EXPECT_GE(host.problems.size(), 5U);
  const TemporaryRoot other;
  EXPECT_EQ(read_host({other.root().root / "missing"}, without_nccl()).host, "");
}

TEST(ReadHost, SurvivesGarbageInEveryFile) {
  using std::string_literals::operator""s;
  const std::string binary = "\0\xff\x1b[2J\n\r\0%n%s:-1,99999999999999999999 - - -\n"s;
  const std::vector<std::string> texts{"",
                                       "\n",
                                       "-1",
                                       "99999999999999999999999",
                                       "0x",
                                       std::string(1200000, '9'),
                                       std::string(300000, '['),
                                       binary,
                                       "a b c d e f g h i j - k l m\n:::::::::\n\"\n"};
  for (const char* name : {"roce-host", "virtio-vm"}) {
    for (const auto& text : texts) {
      const TemporaryRoot machine;
      const auto copy = machine.place("/copy");
      copy_spoiled(fixture(name).root, copy, text);
      const auto host = read_host({copy}, without_nccl());
      EXPECT_THAT(host.interfaces, IsEmpty());
      EXPECT_FALSE(host.memory.total_bytes) << name;
      EXPECT_NO_THROW((void)model::host_from_json(model::to_json(host))) << name;
    }
  }
}

TEST(ReadHost, SurvivesLinksThatLoop) {
  const TemporaryRoot machine;
  machine.link("/proc/self", "self");
  machine.link("/sys/class/net", "../class/infiniband");
  machine.link("/sys/class/infiniband", "net");
  machine.link("/sys/bus/pci/devices/0000:00:00.0", "0000:00:00.0");
  machine.link("/sys/devices/system/node/node0", "..");
  machine.link("/proc/driver/nvidia/gpus/0000:00:00.0", ".");
  machine.write("/ip-addr.json", R"([{"ifindex": 2, "ifname": "eth0"}])");
  const auto host = read_host(machine.root(), without_nccl());
  EXPECT_EQ(host.interfaces.size(), 1U);
  EXPECT_THAT(host.rdma, IsEmpty());
}

TEST(ReadHost, ReadsThisMachine) {
  const auto host = read_host(SysRoot{}, without_nccl());
  EXPECT_NE(host.host, "");
  EXPECT_TRUE(host.kernel);
  EXPECT_TRUE(std::ranges::any_of(host.interfaces, &model::Interface::is_loopback));
  const auto again = model::host_from_json(model::to_json(host));
  EXPECT_EQ(again.interfaces.size(), host.interfaces.size());
}

}  // namespace
}  // namespace ringwise::system
