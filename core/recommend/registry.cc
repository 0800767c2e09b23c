#include "recommend/registry.h"

#include <array>

#include "recommend/advice/rows.h"

namespace ringwise::recommend {

std::span<const AdviceRow> advice_rows() {
  static constexpr std::array<AdviceRow, 8> kRows{{
      {"socket-ifname", "NCCL_SOCKET_IFNAME: exact, and right on every node", advise_socket_ifname},
      {"socket-streams",
       "NCCL_SOCKET_NTHREADS and NCCL_NSOCKS_PERTHREAD, where a sweep shows a gain",
       advise_socket_streams},
      {"ib-disable", "NCCL_IB_DISABLE, where hosts differ in their RDMA devices",
       advise_ib_disable},
      {"pod-network", "hostNetwork or a Multus annotation, as it was measured", advise_pod_network},
      {"shm-size", "/dev/shm for NCCL's shared memory transport", advise_shm_size},
      {"pod-resources", "whole CPUs and memory, requests equal to limits", advise_pod_resources},
      {"pod-security", "security context: no more rights than the path needs", advise_pod_security},
      {"vendor-profile", "settings that the machines' provider ships: named, never overridden",
       advise_vendor_profile},
  }};
  return kRows;
}

}  // namespace ringwise::recommend
