#include "knowledge/vendor_profiles.h"

#include <algorithm>
#include <array>

namespace ringwise::knowledge {
namespace {

// Sources: the providers' own documents: AWS's EFA cheat sheet for training, GKE's guides to
// GPUDirect-TCPXO and to A3 Ultra and A4, AKS's guide to RDMA over InfiniBand, Oracle's manifests
// for RDMA on OKE, CoreWeave's NCCL examples.
constexpr std::array<VendorProfile, 6> kProfiles{{
    {.slug = "aws-efa",
     .provider = "aws",
     .name = "AWS EFA with the aws-ofi-nccl plugin and its tuner",
     .use = "the plugin's own defaults: set no NCCL_SOCKET_NTHREADS, NCCL_NSOCKS_PERTHREAD, "
            "NCCL_PROTO or RDMAV_*",
     .pod = "the resource vpc.amazonaws.com/efa and hugepages-2Mi; no hostNetwork is needed",
     .verify = "NCCL_DEBUG=INFO prints the network \"AWS Libfabric\"",
     .refuses_host_network = false},
    {.slug = "gke-tcpxo",
     .provider = "gcp",
     .name = "GKE A3 Mega (GPUDirect-TCPXO)",
     .use = "source ${NCCL_LIB_DIR}/nccl-env-profile.sh; its checker ends jobs that deviate",
     .pod = "the tcpxo-daemon sidecar and the networks vpc1 to vpc8 as eth1 to eth8",
     .verify = "NCCL_DEBUG=INFO prints the plugin's network and not NET/Socket",
     .refuses_host_network = false},
    {.slug = "gke-gib",
     .provider = "gcp",
     .name = "GKE A3 Ultra and A4 (gIB)",
     .use = "source /usr/local/gib/scripts/set_nccl_env.sh",
     .pod = "the node's folder of gIB at /usr/local/gib and the networks rdma-0 to rdma-7",
     .verify = "NCCL_DEBUG=INFO prints the network gIB",
     .refuses_host_network = false},
    {.slug = "azure-ib",
     .provider = "azure",
     .name = "AKS ND series (InfiniBand)",
     .use = "NCCL_TOPO_FILE with the topology file of the VM size, NCCL_SOCKET_IFNAME=eth0",
     .pod = "the InfiniBand resource of the device plugin, and IPC_LOCK",
     .verify = "NCCL_DEBUG=INFO prints NET/IB and that the topology file was loaded",
     .refuses_host_network = false},
    {.slug = "oci-roce",
     .provider = "oci",
     .name = "OCI RoCE cluster networks",
     .use = "the NCCL_IB_* values of Oracle's manifests for the shape (traffic class 41, GID index "
            "3, an exact NCCL_IB_HCA list)",
     .pod = "hostNetwork with /dev/infiniband and IPC_LOCK, or a Multus rdma-vf attachment a NIC",
     .verify = "NCCL_DEBUG=INFO prints NET/IB with every HCA of the list",
     .refuses_host_network = false},
    {.slug = "coreweave-ib",
     .provider = "coreweave",
     .name = "CoreWeave (InfiniBand)",
     .use = "NCCL_SOCKET_IFNAME=eth0 and NCCL_IB_HCA=ibp, as CoreWeave's documents set them",
     .pod = "the resource rdma/ib; hostNetwork and privileged pods are not to be had",
     .verify = "NCCL_DEBUG=INFO prints NET/IB with the ibp devices",
     .refuses_host_network = true},
}};

}  // namespace

std::span<const VendorProfile> vendor_profiles() {
  return kProfiles;
}

const VendorProfile* vendor_profile(std::string_view slug) {
  const auto* const found = std::ranges::find(kProfiles, slug, &VendorProfile::slug);
  return found == kProfiles.end() ? nullptr : &*found;
}

}  // namespace ringwise::knowledge
