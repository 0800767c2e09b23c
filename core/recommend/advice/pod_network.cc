// The pod network: what was measured, what it costs, and what the others would.
#include <fmt/format.h>

#include "base/units.h"
#include "recommend/advice/rows.h"
#include "recommend/measured_path.h"
#include "recommend/pod_plan.h"

namespace ringwise::recommend {
namespace {

constexpr const char* kId = "pod-network";
constexpr const char* kHostNetwork = "spec.hostNetwork";
constexpr const char* kDnsPolicy = "spec.dnsPolicy";
constexpr const char* kMultusNetworks = "metadata.annotations[k8s.v1.cni.cncf.io/networks]";
constexpr const char* kGkeInterfaces = "metadata.annotations[networking.gke.io/interfaces]";
constexpr const char* kResource = "spec.containers[].resources of the attachment";
constexpr const char* kSshPort = "port of sshd";
/// Where images and operators of this field put sshd beside the node's own.
/// source: mpi-operator base image, OCI's RDMA examples.
constexpr int kFreeSshPort = 2222;
constexpr int kNodeSshPort = 22;

model::Advice pod_field(const char* name, const std::string& value) {
  model::Advice advice;
  advice.id = kId;
  advice.state = model::AdviceState::kPredicted;
  advice.name = name;
  advice.value = value;
  advice.where = "pod";
  advice.nccl_versions = "all";
  return advice;
}

/// What was measured, and what was not.
std::string ground(const Evidence& evidence, const MeasuredPath& path) {
  std::string text = fmt::format("{} over {} in mode {}", rate_text(*path.best), path.label,
                                 base::printable(evidence.mode));
  for (const auto& note : evidence.mode_notes) text += "; " + note;
  if (evidence.mode_alternatives.empty()) {
    text +=
        "; no other mode was measured, so this keeps the measured one and says nothing of the "
        "others";
  }
  return text;
}

/// The node's own sshd keeps its port when the pod shares the node's ports.
model::Advice ssh_port() {
  auto port = pod_field(kSshPort, fmt::format("{}", kFreeSshPort));
  port.state = model::AdviceState::kRequired;
  port.reason = fmt::format(
      "with hostNetwork port {} belongs to the node's own sshd, so the job's does not start or "
      "its peers reach the node instead of the pod",
      kNodeSshPort);
  port.verify = fmt::format("ssh -p {} POD hostname answers from the pod", kFreeSshPort);
  port.undo = "back to the old port together with removing spec.hostNetwork";
  return port;
}

std::vector<model::Advice> host_network(const Evidence& evidence, const std::string& reason) {
  auto network = pod_field(kHostNetwork, "true");
  network.reason = reason;
  network.verify =
      "in the pod `ringwise system` detects mode host, and ip addr shows the node's "
      "interfaces";
  network.undo = "remove spec.hostNetwork and spec.dnsPolicy";
  auto dns = pod_field(kDnsPolicy, "ClusterFirstWithHostNet");
  dns.reason =
      "with hostNetwork the default policy resolves no name of the cluster, so ranks do "
      "not find each other";
  dns.state = model::AdviceState::kRequired;
  dns.verify = "the other pods' names resolve in the pod";
  dns.undo = "remove it together with spec.hostNetwork";
  std::vector<model::Advice> advices{network, dns};
  if (evidence.constraints.ssh_port == kNodeSshPort) advices.push_back(ssh_port());
  return advices;
}

bool is_name_missing(const PodPlan& pod) {
  for (const auto& one : pod.attachments) {
    if (one.name.empty()) return true;
  }
  return pod.attachments.empty();
}

std::vector<model::Advice> secondary(const PodPlan& pod, const std::string& reason) {
  const bool is_gke = pod.network == PodNetwork::kGke;
  auto networks = is_gke ? pod_field(kGkeInterfaces, gke_interfaces(pod))
                         : pod_field(kMultusNetworks, multus_networks(pod));
  networks.reason = reason;
  if (is_name_missing(pod)) {
    networks.reason += fmt::format(
        ". The record does not tell the name of the network attachment: put it in place of {}",
        is_gke ? "<network>" : kNetworkPlaceholder);
  } else {
    networks.reason += ". The names are those that the measured pods were attached to";
  }
  networks.verify =
      is_gke ? "ip addr in the pod shows the interfaces with these names"
             : "the annotation k8s.v1.cni.cncf.io/network-status of the running pod lists them";
  networks.undo = "remove the annotation";
  std::vector<model::Advice> advices{networks};
  if (!pod.has_device) return advices;
  auto resource =
      pod_field(kResource, fmt::format("{}: {}", kResourcePlaceholder, pod.attachments.size()));
  resource.state = model::AdviceState::kRequired;
  resource.reason =
      "each attachment of this kind takes one device from the node's device plugin, named by the "
      "annotation k8s.v1.cni.cncf.io/resourceName of the network attachment; without the request "
      "the pod gets none and does not start";
  resource.verify = "kubectl get net-attach-def NAME -o yaml shows the resource's name";
  resource.undo = "remove it together with the annotation";
  advices.push_back(resource);
  return advices;
}

std::vector<model::Advice> rows_of(const Evidence& evidence, const std::string& reason) {
  const auto pod = pod_plan(evidence);
  switch (pod.network) {
    case PodNetwork::kHost:
      return host_network(evidence, reason);
    case PodNetwork::kMultus:
    case PodNetwork::kGke:
      return secondary(pod, reason);
    case PodNetwork::kOverlay:
      return {unset(kId, kHostNetwork, "pod", "the cluster's default network: " + reason)};
    case PodNetwork::kUnknown:
      break;
  }
  return {};
}

}  // namespace

std::vector<model::Advice> advise_pod_network(const Evidence& evidence) {
  if (!evidence.why_no_mode.empty()) {
    return {
        not_enough(kId, kHostNetwork, "pod", evidence.why_not + " (" + evidence.why_no_mode + ")")};
  }
  const auto found = measured_path(evidence);
  if (!found.path) return {not_enough(kId, kHostNetwork, "pod", found.reason)};
  if (evidence.nodes < 2) {
    return {
        not_enough(kId, kHostNetwork, "pod", "one host was measured, so no network between hosts")};
  }
  auto advices = rows_of(evidence, ground(evidence, *found.path));
  if (advices.empty()) {
    return {not_enough(kId, kHostNetwork, "pod",
                       "the record does not tell which network was measured; name it with "
                       "--mode host, overlay or multus")};
  }
  advices.front().alternatives = evidence.mode_alternatives;
  const auto cost = kind_of(evidence.mode)->cost;
  if (!cost.empty()) advices.front().cost = cost;
  for (auto& advice : advices) advice.evidence.push_back(found.path->key);
  return advices;
}

}  // namespace ringwise::recommend
