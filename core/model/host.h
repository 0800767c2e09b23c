// Facts of one host or pod, as `system` reads them. Absent means "not known", never 0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringwise::model {

struct Address {
  std::string family;   ///< "inet" or "inet6"
  std::string address;  ///< without prefix length
  int prefix_length = 0;
  std::string scope;  ///< "global", "link", "host", "site" or the number as text
  /// IFA_LABEL where it is not the interface's name ("eth0:1"); NCCL takes it for the name.
  std::optional<std::string> label = std::nullopt;
};

/// Work that the kernel leaves to an interface, or does for many packets at once. Each is absent
/// when the kernel did not name it.
struct Offloads {
  std::optional<bool> tso;          ///< TCP segments are cut by the device (IPv4 or IPv6)
  std::optional<bool> gso;          ///< packets are cut last, in software
  std::optional<bool> gro;          ///< received segments are joined before the stack sees them
  std::optional<bool> tx_checksum;  ///< of TCP over IPv4, IPv6 or both
  std::optional<bool> rx_checksum;
};

struct Interface {
  std::string name;
  int index = 0;       ///< kernel order: NCCL takes interfaces in the order the kernel lists them
  std::string kind;    ///< rtnetlink kind: "veth", "macvlan", "bridge", "vxlan", ...; "" = physical
  bool is_up = false;  ///< IFF_UP
  bool is_running = false;   ///< IFF_RUNNING: what NCCL asks for
  bool is_loopback = false;  ///< IFF_LOOPBACK
  std::optional<std::int64_t> mtu;
  /// Smallest MTU metric of the IPv4 and IPv6 routes over it, bytes; absent = none is below `mtu`,
  /// or the routes were not read (Host::are_routes_known).
  std::optional<std::int64_t> route_mtu;
  std::optional<std::int64_t> speed_mbit_per_s;  ///< sysfs `speed`; absent when unreadable or <= 0
  std::optional<std::string> driver;
  std::optional<std::string> pci_address;        ///< "0000:3b:00.0"
  std::optional<std::string> pci_vendor;         ///< "0x15b3"
  std::optional<std::string> physical_function;  ///< its PF's PCI address; present = this is a VF
  std::optional<int> numa_node;
  std::optional<std::string> master;   ///< the bridge or bond this is a port of
  std::optional<int> lower_index;      ///< IFLA_LINK: index of the lower or peer device
  std::optional<int> lower_namespace;  ///< IFLA_LINK_NETNSID: present = that device is elsewhere
  std::optional<Offloads> offloads;    ///< in use now
  std::optional<int> rx_queues;        ///< queues that the kernel shows; all need not be in use
  std::optional<int> tx_queues;
  std::optional<std::string> irq_cpus;  ///< where the device's MSI interrupts may run, list format
  std::vector<Address> addresses;       ///< in kernel order
  /// Class of its network (docs/system.md); absent for loopback and devices without an address.
  std::optional<std::string> mode;
};

struct Gid {
  int index = 0;
  std::string gid;                    ///< as sysfs prints it, zero rows left out
  std::optional<std::string> type;    ///< "IB/RoCE v1", "RoCE v2"
  std::optional<std::string> netdev;  ///< absent when it is not in this network namespace
};

struct RdmaPort {
  int port = 1;
  std::string state;                ///< "ACTIVE", "DOWN", ...
  std::string link_layer;           ///< "InfiniBand" or "Ethernet"
  std::optional<std::string> rate;  ///< as sysfs prints it: "200 Gb/sec (4X HDR)"
  std::optional<std::int64_t> lid;
  std::vector<Gid> gids;
};

struct RdmaDevice {
  std::string name;
  std::optional<std::string> pci_address;
  std::optional<int> numa_node;
  std::optional<std::string> firmware;
  std::optional<std::string> board;
  std::vector<std::string> netdevs;
  std::vector<RdmaPort> ports;
};

struct PciDevice {
  std::string address;
  std::string device_class;  ///< "network", "gpu", "storage", ...
  std::string vendor;        ///< "0x10de"
  std::string device;
  std::optional<int> numa_node;
  std::optional<double> link_gbyte_per_s;
};

struct Gpu {
  std::string pci_address;
  std::optional<std::string> name;
  std::optional<int> numa_node;
};

struct Limits {
  std::optional<std::uint64_t> memlock_soft_bytes;  ///< absent = unlimited
  std::optional<std::uint64_t> memlock_hard_bytes;  ///< absent = unlimited
  bool is_memlock_unlimited = false;                ///< of the soft limit
  std::optional<std::uint64_t> open_files;
  std::optional<std::uint64_t> processes;
  std::optional<std::string> effective_capabilities;  ///< CapEff, hexadecimal
};

struct NumaNode {
  int node = 0;
  std::string cpus;  ///< list format: "0-15,32-47"
  std::optional<std::uint64_t> memory_bytes;
};

struct Cpus {
  std::optional<std::string> model;
  std::optional<std::string> vendor;  ///< "GenuineIntel", "AuthenticAMD", ...
  std::optional<int> online;
  std::optional<int> allowed_count;
  std::optional<std::string> allowed;         ///< list format
  std::optional<int> cgroup_version;          ///< 1 or 2
  std::optional<double> quota_cpus;           ///< cpu.max or cfs_quota/period; absent = no quota
  std::optional<std::string> cpuset;          ///< cgroup's effective cpuset
  std::optional<std::uint64_t> throttled_us;  ///< cpu.stat, since the cgroup began
  std::vector<NumaNode> numa_nodes;
};

struct Memory {
  std::optional<std::uint64_t> total_bytes;
  std::optional<std::uint64_t> available_bytes;
  std::optional<std::uint64_t> cgroup_limit_bytes;  ///< absent = no limit
  std::optional<std::uint64_t> cgroup_used_bytes;
  std::optional<std::uint64_t> oom_kills;
};

struct SharedMemory {
  std::string path = "/dev/shm";
  std::optional<std::string> type;  ///< file system: "tmpfs"
  std::optional<std::uint64_t> size_bytes;
  std::optional<std::uint64_t> used_bytes;
  std::optional<std::string> reason;  ///< why sizes are absent
};

/// The file system of the working directory, where a job reads and writes unless told otherwise.
struct Storage {
  std::optional<std::string> type;  ///< "overlay" (a container's own layer), "ext4", "nfs4", ...
  std::optional<std::uint64_t> size_bytes;
  std::optional<std::uint64_t> free_bytes;  ///< for a user without rights
  std::optional<std::string> reason;        ///< why something is absent
};

/// What limits one TCP connection, by sysctl. Absent where this network namespace does not show it.
struct TcpLimits {
  std::optional<std::uint64_t> rmem_max_bytes;      ///< net.core.rmem_max: of SO_RCVBUF
  std::optional<std::uint64_t> wmem_max_bytes;      ///< net.core.wmem_max: of SO_SNDBUF
  std::optional<std::uint64_t> tcp_rmem_max_bytes;  ///< net.ipv4.tcp_rmem, third: of autotuning
  std::optional<std::uint64_t> tcp_wmem_max_bytes;  ///< net.ipv4.tcp_wmem, third
  std::optional<int> mtu_probing;  ///< net.ipv4.tcp_mtu_probing: 0 off, 1 after a loss, 2 always
};

struct NcclLibrary {
  bool found = false;
  std::optional<std::string> version;  ///< "2.28.9", from ncclGetVersion
  std::optional<std::string> path;
  std::optional<std::string> reason;  ///< why it was not found or could not be asked
};

/// One network of this pod, as an annotation tells it.
struct PodNetwork {
  std::string name;                      ///< "namespace/name" of the attachment; may be empty
  std::optional<std::string> interface;  ///< "net1"
  bool is_default = false;               ///< the cluster's default network
  /// Who tells it: "multus" (network-status) or "gke" (networking.gke.io/interfaces).
  std::string source = "multus";
  std::optional<std::string> device_type;        ///< of device-info: "pci", "vdpa", ...
  std::optional<std::string> pci_address;        ///< of device-info: "0000:3b:02.1"
  std::optional<std::string> physical_function;  ///< of device-info: PCI address of its PF
  std::optional<std::int64_t> mtu;               ///< bytes
};

struct Host {
  std::string host;                 ///< host name as gethostname gives it
  std::optional<std::string> node;  ///< Kubernetes node, from the downward API
  std::optional<std::string> pod;
  std::optional<std::string> pod_namespace;  ///< JSON key "namespace"
  std::optional<std::string> boot_id;
  std::optional<std::string> kernel;
  std::optional<std::string> driver;  ///< NVIDIA driver version
  std::optional<std::string> congestion_control;
  TcpLimits tcp;
  std::optional<std::string> container;  ///< "docker", "containerd", "kubernetes", ... when seen
  std::vector<std::string> firmware;
  std::vector<Interface> interfaces;
  std::optional<std::string> default_interface;  ///< of the IPv4 default route, else of IPv6's
  bool are_routes_known = false;  ///< whether routes were read: else route_mtu says nothing
  std::vector<PodNetwork> networks;
  std::vector<RdmaDevice> rdma;
  std::vector<Gpu> gpus;
  std::vector<PciDevice> pci;  ///< network, GPU and storage devices only
  Limits limits;
  Cpus cpus;
  Memory memory;
  SharedMemory shm;
  std::optional<Storage> storage;  ///< absent: not asked, as in a fixture of another machine
  NcclLibrary nccl;
  /// Only the names that design.md allows: NCCL_*, OMPI_MCA_*, UCX_*, FI_*, ...
  std::map<std::string, std::string> environment;
  std::vector<std::string> problems;  ///< what could not be read, in words
};

}  // namespace ringwise::model
