// What a pod of the job needs: the facts behind pod.yaml and behind the pod rows of the advice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/shm.h"
#include "recommend/evidence.h"

namespace ringwise::recommend {

/// A secondary network of the pod.
struct Attachment {
  std::string name;       ///< "namespace/network"; empty: the record does not tell
  std::string interface;  ///< its name in the pod: "net1"
};

struct PodPlan {
  PodNetwork network = PodNetwork::kUnknown;
  std::vector<Attachment> attachments;  ///< that were measured, for kMultus and kGke
  bool has_device = false;              ///< each attachment takes a device of the node
  int ranks = 1;     ///< of the job in one pod: ranks a node, or GPUs where there are more
  int channels = 2;  ///< that the shared memory is counted for
  plan::ShmEstimate shm;
  std::uint64_t shm_bytes = 0;     ///< of the volume: whole GiB
  int cpus = 1;                    ///< whole CPUs
  int cpus_of_node = 0;            ///< that the smallest host may use; 0 = not known
  std::uint64_t job_bytes = 0;     ///< memory of the job without the volume
  std::uint64_t memory_bytes = 0;  ///< limit: both together, whole GiB
  bool uses_rdma = false;
  bool needs_ipc_lock = false;        ///< RDMA where the pods' memlock limit is not unlimited
  std::optional<double> quota_cpus;   ///< the smallest quota that was seen
  bool is_cpu_set_exclusive = false;  ///< every host is bound to a part of its CPUs, no quota
};

/// Whole GiB that job memory is planned with for each rank when nothing is known about the job.
inline constexpr std::uint64_t kJobGibPerRank = 8;
/// NCCL's documentation asks containers for --shm-size=1g.
inline constexpr std::uint64_t kLeastShmGib = 1;
/// The default size of /dev/shm in a container.
inline constexpr std::uint64_t kContainerShmBytes = std::uint64_t{64} << 20;

/// `evidence` must be complete.
[[nodiscard]] PodPlan pod_plan(const Evidence& evidence);

/// "3Gi", as Kubernetes writes it; rounded up to whole GiB.
[[nodiscard]] std::string gibibytes(std::uint64_t bytes);

/// Where the name of the network attachment goes in pod.yaml; it is no valid name, so a pod that
/// still has it is refused.
inline constexpr const char* kNetworkPlaceholder = "<namespace>/<network>";
/// The same for the resource that hands out the attachment's devices.
inline constexpr const char* kResourcePlaceholder = "<domain>/<resource>";

/// Value of the Multus annotation: each attachment with the interface name that was measured.
[[nodiscard]] std::string multus_networks(const PodPlan& pod);
/// Value of networking.gke.io/interfaces: eth0 on the default network, then the attachments.
[[nodiscard]] std::string gke_interfaces(const PodPlan& pod);

}  // namespace ringwise::recommend
