// What says that this is a container or a Kubernetes pod, and which one.
#pragma once

#include <string>
#include <vector>

#include "model/host.h"
#include "system/environment.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Fills container, node, pod, pod_namespace and networks of `host`.
/// - container: "kubernetes" (KUBERNETES_SERVICE_HOST, a service account or a kubepods group),
///   else "podman" (/run/.containerenv), "docker" (/.dockerenv), "lxc", "containerd", "cri-o" by
///   the control group's path; absent when nothing says so.
/// - names: RINGWISE_NODE_NAME, RINGWISE_POD_NAME, RINGWISE_POD_NAMESPACE (or
///   RINGWISE_NAMESPACE), else the files node, pod or name, and namespace in /etc/podinfo, else
///   the service account's namespace.
/// - networks: Multus' network-status annotation in /etc/podinfo or /etc/podnetinfo, as a file of
///   that name or a line of the file `annotations` (source: Multus, network-attachment-definition
///   client: keys name, interface, default, mtu, device-info); then those of GKE's annotation
///   networking.gke.io/interfaces in the same files.
void add_pod_facts(const SysRoot& root, const Environment& environment, model::Host& host);

}  // namespace ringwise::system
