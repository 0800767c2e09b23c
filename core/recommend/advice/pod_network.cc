// The pod network: what was measured, and what it costs.
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
constexpr const char* kNetworks = "metadata.annotations[k8s.v1.cni.cncf.io/networks]";

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
                                 base::printable(evidence.mode_name.value_or(evidence.mode)));
  for (const auto& note : evidence.mode_notes) text += "; " + note;
  if (evidence.mode_notes.empty()) {
    text +=
        "; no other mode was measured, so this keeps the measured one and says nothing of the "
        "others";
  }
  return text;
}

std::vector<model::Advice> host_network(const std::string& reason) {
  auto network = pod_field(kHostNetwork, "true");
  network.reason = reason;
  network.verify =
      "in the pod `ringwise system` detects mode host, and ip addr shows the node's "
      "interfaces";
  network.undo = "remove spec.hostNetwork and spec.dnsPolicy";
  network.cost =
      "NetworkPolicy no longer applies and every port of the pod is a port of the node, sshd's "
      "too (use 2222, not 22); Pod Security needs a privileged namespace; where a cheaper network "
      "was measured too, this is advised only for a gain beyond the interval and 10 %";
  auto dns = pod_field(kDnsPolicy, "ClusterFirstWithHostNet");
  dns.reason =
      "with hostNetwork the default policy resolves no name of the cluster, so ranks do "
      "not find each other";
  dns.state = model::AdviceState::kRequired;
  dns.verify = "the other pods' names resolve in the pod";
  dns.undo = "remove it together with spec.hostNetwork";
  return {network, dns};
}

std::vector<model::Advice> multus(const std::string& reason) {
  auto networks = pod_field(kNetworks, kNetworkPlaceholder);
  networks.reason = fmt::format("{}. Put the name of the network attachment in place of {}", reason,
                                kNetworkPlaceholder);
  networks.verify =
      "the annotation k8s.v1.cni.cncf.io/network-status of the running pod lists net1";
  networks.undo = "remove the annotation";
  networks.cost =
      "NetworkPolicy does not cover the secondary interface, and each pod takes an "
      "address of that network";
  return {networks};
}

}  // namespace

std::vector<model::Advice> advise_pod_network(const Evidence& evidence) {
  const auto found = measured_path(evidence);
  if (!found.path) return {not_enough(kId, kHostNetwork, "pod", found.reason)};
  if (evidence.nodes < 2) {
    return {
        not_enough(kId, kHostNetwork, "pod", "one host was measured, so no network between hosts")};
  }
  const auto reason = ground(evidence, *found.path);
  std::vector<model::Advice> advices;
  switch (pod_plan(evidence).network) {
    case PodNetwork::kHost:
      advices = host_network(reason);
      break;
    case PodNetwork::kMultus:
      advices = multus(reason);
      break;
    case PodNetwork::kOverlay:
      advices = {unset(kId, kHostNetwork, "pod", "the cluster's default network: " + reason)};
      break;
    case PodNetwork::kUnknown:
      return {not_enough(kId, kHostNetwork, "pod",
                         "the record does not tell which network was measured; name it with "
                         "--mode host, overlay or multus")};
  }
  for (auto& advice : advices) advice.evidence.push_back(found.path->key);
  return advices;
}

}  // namespace ringwise::recommend
