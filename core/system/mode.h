// Which network a host or pod is on: the node's own, the cluster's, or a secondary one.
#pragma once

#include <string_view>

#include "model/host.h"
#include "model/record.h"

namespace ringwise::system {

/// `detected` is one of
/// - "host": the node's own network, of a plain machine or a hostNetwork pod;
/// - "overlay-tunnel", "overlay-native": the pod's own network over a veth or netkit device, with
///   and without room for a tunnel header; "ipvlan-default": over an ipvlan;
/// - "multus-macvlan", "multus-ipvlan", "multus-hostdev", "multus-sriov-vf", "multus-ipoib": a
///   secondary interface of that kind; "gke-multinet": one of GKE's multi-networking;
/// - "unknown" where the evidence does not decide.
/// `evidence` has a line for every fact that was looked at and found, in the order of its weight,
/// and of an unknown mode one about what is not told; `label` stays empty.
///
/// `interface` is the interface that is measured, the first of a comma list: of a pod with several
/// networks, it decides. Without it, a secondary interface decides before the pod's own.
[[nodiscard]] model::Mode detect_mode(const model::Host& host, std::string_view interface = {});

}  // namespace ringwise::system
