#include "full_record.h"

namespace ringwise::model::test {
namespace {

RdmaDevice full_rdma_device() {
  return {.name = "mlx5_0",
          .pci_address = "0000:3b:00.0",
          .numa_node = 0,
          .firmware = "20.38.1002",
          .board = "MT_0000000223",
          .netdevs = {"eth2"},
          .ports = {{.port = 1,
                     .state = "ACTIVE",
                     .link_layer = "Ethernet",
                     .rate = "200 Gb/sec (4X HDR)",
                     .lid = 7,
                     .gids = {{.index = 3,
                               .gid = "0000:0000:0000:0000:0000:ffff:0a00:0001",
                               .type = "RoCE v2",
                               .netdev = "eth2"}}}}};
}

Interface full_interface() {
  return {
      .name = "net1",
      .index = 4,
      .kind = "macvlan",
      .is_up = true,
      .is_running = true,
      .is_loopback = false,
      .mtu = 9000,
      .route_mtu = 8950,
      .speed_mbit_per_s = 100000,
      .driver = "mlx5_core",
      .pci_address = "0000:3b:00.0",
      .pci_vendor = "0x15b3",
      .physical_function = "0000:3b:00.0",
      .numa_node = 0,
      .master = "br0",
      .lower_index = 2,
      .lower_namespace = 0,
      .offloads =
          Offloads{
              .tso = true, .gso = true, .gro = false, .tx_checksum = true, .rx_checksum = false},
      .rx_queues = 16,
      .tx_queues = 16,
      .irq_cpus = "0-15,32",
      .addresses =
          {{.family = "inet",
            .address = "10.0.0.1",
            .prefix_length = 24,
            .scope = "global",
            .label = "net1:1"},
           {.family = "inet6", .address = "fe80::1", .prefix_length = 64, .scope = "link"}},
      .mode = "multus-macvlan"};
}

SizeResult full_size() {
  return {.bytes = 4194304,
          .verified = true,
          .wrong = 0,
          .samples = 120,
          .blocks = 6,
          .block_medians_us = {71234.5, 71240.25, 71233.0, 71250.125, 71236.5, 71238.75},
          .time_us_p50 = 71237.625,
          .time_us_p99 = 71999.5,
          .algbw_gbyte_per_s = 0.05887765,
          .busbw_gbyte_per_s = 0.11775530000000001,
          .low = 0.1177,
          .high = 0.1178,
          .reason = "two blocks were cut by the time budget"};
}

PairResult full_pair() {
  return {.src = 0,
          .dst = 1,
          .direction = "one-way",
          .bytes = 8388608,
          .round = 2,
          .block = 5,
          .device = "mlx5_0",
          .gbit_per_s = 0.954,
          .low = 0.951,
          .high = 0.957,
          .latency_us_p50 = 23.5,
          .latency_us_p99 = 61.25,
          .payload_bytes = 715653120,
          .retransmits = 3,
          .path_mtu = 1450,
          .path = PathMtu{.device_mtu = 1500,
                          .route_mtu = 1450,
                          .forward_mtu = 1400,
                          .reason = "the search was cut by its time"},
          .congestion_control = "cubic",
          .cpu_s_per_gbyte_src = 0.35,
          .cpu_s_per_gbyte_dst = 0.625,
          .status = Status::kFailed,
          .reason = "no answer for 20 s"};
}

}  // namespace

Host full_host() {
  return {.host = "node1",
          .node = "worker-1",
          .pod = "probe-0",
          .pod_namespace = "training",
          .boot_id = "0b6e2a0c-1111-2222-3333-444444444444",
          .kernel = "6.1.0-18-amd64",
          .driver = "550.54.15",
          .congestion_control = "cubic",
          .tcp = {.rmem_max_bytes = 212992,
                  .wmem_max_bytes = 212992,
                  .tcp_rmem_max_bytes = 6291456,
                  .tcp_wmem_max_bytes = 4194304,
                  .mtu_probing = 1},
          .container = "containerd",
          .firmware = {"mlx5_0 20.38.1002"},
          .interfaces = {full_interface()},
          .default_interface = "eth0",
          .are_routes_known = true,
          .networks = {{.name = "training/fast",
                        .interface = "net1",
                        .is_default = false,
                        .source = "multus",
                        .device_type = "pci",
                        .pci_address = "0000:3b:02.1",
                        .physical_function = "0000:3b:00.0",
                        .mtu = 9000}},
          .rdma = {full_rdma_device()},
          .gpus = {{.pci_address = "0000:17:00.0", .name = "H200", .numa_node = 0}},
          .pci = {{.address = "0000:17:00.0",
                   .device_class = "gpu",
                   .vendor = "0x10de",
                   .device = "0x2335",
                   .numa_node = 0,
                   .link_gbyte_per_s = 63.015}},
          .limits = {.memlock_soft_bytes = 8388608,
                     .memlock_hard_bytes = 16777216,
                     .is_memlock_unlimited = false,
                     .open_files = 1048576,
                     .processes = 127000,
                     .effective_capabilities = "00000000a80425fb"},
          .cpus = {.model = "Xeon",
                   .vendor = "GenuineIntel",
                   .online = 64,
                   .allowed_count = 16,
                   .allowed = "0-15",
                   .cgroup_version = 2,
                   .quota_cpus = 15.5,
                   .cpuset = "0-15",
                   .throttled_us = 1234,
                   .numa_nodes = {{.node = 0, .cpus = "0-31", .memory_bytes = 270000000000}}},
          .memory = {.total_bytes = 540000000000,
                     .available_bytes = 500000000000,
                     .cgroup_limit_bytes = 68719476736,
                     .cgroup_used_bytes = 1048576,
                     .oom_kills = 1},
          .shm = {.path = "/dev/shm",
                  .type = "tmpfs",
                  .size_bytes = 67108864,
                  .used_bytes = 4096,
                  .reason = "statvfs: Permission denied"},
          .nccl = {.found = true,
                   .version = "2.28.9",
                   .path = "/usr/lib/x86_64-linux-gnu/libnccl.so.2",
                   .reason = "the first of two"},
          .environment = {{"NCCL_SOCKET_IFNAME", "=net1"}, {"UCX_TLS", "tcp"}},
          .problems = {"/sys/class/net/net1/speed: Invalid argument"}};
}

Result full_result() {
  return {
      .probe = "tcp-allreduce",
      .variant = "wire",
      .status = Status::kFailed,
      .reason = "rank 1 stopped \"hard\"",
      .provenance = "measured",
      .mode = "multus",
      .interface = "net1",
      .transport = "tcp",
      .device = "mlx5_0",
      .gid_index = 3,
      .rail = 1,
      .memory = "host",
      .collective = "allreduce",
      .dtype = "float32",
      .op = "sum",
      .direction = "both",
      .family = "inet",
      .ranks = 2,
      .nodes = 2,
      .channels = 2,
      .sockets = 1,
      .threads = 1,
      .qps = 4,
      .settings_name = "nccl.env",
      .settings = {{"NCCL_NSOCKS_PERTHREAD", "4"}},
      .path_proof = {.state = ProofState::kProved, .reason = "net1 grew by 1.03 of the payload"},
      .background_bytes_per_s = 1250.5,
      .background_share = 0.0001,
      .cpu_throttled_us = 17,
      .cpu_seconds = 3.25,
      .stray_connections = 2,
      .seed = 18446744073709551615U,
      .sizes = {full_size()},
      .pairs = {full_pair()}};
}

RunRecord full_record() {
  RunRecord record;
  record.tool = {.name = "ringwise", .version = "0.1.0", .features = {"mpi", "hwloc"}};
  record.started = "2026-01-31T12:00:00Z";
  record.ended = "2026-01-31T12:01:00Z";
  record.complete = true;
  record.launch = {.asked_ranks = 2,
                   .asked_nodes = 2,
                   .ranks = 2,
                   .nodes = 2,
                   .ranks_per_node = {1, 1},
                   .launcher = "openmpi"};
  record.mode = {.label = "multus", .detected = "multus", .evidence = {"net1 is a macvlan"}};
  record.hosts = {full_host()};
  record.ranks = {{.rank = 0,
                   .host = "node1",
                   .local_rank = 0,
                   .interfaces = {"net1"},
                   .bootstrap_interface = "net1",
                   .selection = "NCCL_SOCKET_IFNAME==net1"}};
  record.results = {full_result()};
  record.counters = {{.host = "node1",
                      .probe = "tcp-allreduce",
                      .rank = 0,
                      .interface = "net1",
                      .device = "mlx5_0",
                      .before = {{"rx_bytes", 1000}, {"tx_bytes", 2000}},
                      .after = {{"rx_bytes", 9007199254740993}, {"tx_bytes", 4000}},
                      .expected_bytes = 1900}};
  record.problems = {{.stage = "tcp-allreduce",
                      .rank = 1,
                      .host = "node2",
                      .interface = "net1",
                      .peer = 0,
                      .peer_host = "node1",
                      .step = "block 2, 4 MiB, wire",
                      .sign = "silent",
                      .text = "no answer for 20 s"}};
  return record;
}

std::vector<Advice> full_advice() {
  return {{.id = "socket-ifname",
           .state = AdviceState::kConfirmed,
           .name = "NCCL_SOCKET_IFNAME",
           .value = "=net1",
           .where = "env",
           .per_host = {{"node1", "=net1"}, {"node2", "=net2"}},
           .reason = "net1 carries 0.954 Gbit/s, eth0 0.921",
           .nccl_versions = "all",
           .verify = "NCCL_DEBUG=INFO prints NET/Socket : Using [0]net1",
           .undo = "unset NCCL_SOCKET_IFNAME",
           .cost = "none",
           .alternatives = {"host: 1.037 of net1's rate; it would cost NetworkPolicy"},
           .factor = 1.036,
           .factor_low = 1.03,
           .factor_high = 1.04,
           .evidence = {"results[0].sizes[5]"}},
          {.id = "algo",
           .state = AdviceState::kUnset,
           .name = "NCCL_ALGO",
           .value = std::nullopt,
           .where = "env",
           .per_host = {},
           .reason = "NCCL's default was not slower in any size",
           .nccl_versions = "all",
           .verify = "",
           .undo = "",
           .cost = {},
           .alternatives = {},
           .factor = {},
           .factor_low = {},
           .factor_high = {},
           .evidence = {}}};
}

}  // namespace ringwise::model::test
