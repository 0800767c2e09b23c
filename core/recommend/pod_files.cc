#include "recommend/pod_files.h"

#include <algorithm>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "base/units.h"

namespace ringwise::recommend {
namespace {

YAML::Emitter& text(YAML::Emitter& out, const char* key, const std::string& value) {
  return out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << value << YAML::Auto;
}

YAML::Emitter& plain(YAML::Emitter& out, const char* key, const std::string& value) {
  return out << YAML::Key << key << YAML::Value << value;
}

YAML::Emitter& flag(YAML::Emitter& out, const char* key, bool value) {
  return out << YAML::Key << key << YAML::Value << value;
}

bool has_annotations(const PodPlan& pod) {
  return pod.network == PodNetwork::kMultus || pod.network == PodNetwork::kGke;
}

void annotations(YAML::Emitter& out, const PodPlan& pod) {
  if (!has_annotations(pod)) return;
  out << YAML::Key << "annotations" << YAML::Value << YAML::BeginMap;
  if (pod.network == PodNetwork::kGke) {
    text(out, "networking.gke.io/default-interface", "eth0");
    text(out, "networking.gke.io/interfaces", gke_interfaces(pod));
  } else {
    text(out, "k8s.v1.cni.cncf.io/networks", multus_networks(pod));
  }
  const bool is_known = std::none_of(pod.attachments.begin(), pod.attachments.end(),
                                     [](const auto& one) { return one.name.empty(); });
  if (!is_known) out << YAML::Comment("REPLACE by the name of the network attachment");
  out << YAML::EndMap;
}

void amounts(YAML::Emitter& out, const char* key, const PodPlan& pod) {
  out << YAML::Key << key << YAML::Value << YAML::BeginMap;
  text(out, "cpu", fmt::format("{}", pod.cpus));
  text(out, "memory", gibibytes(pod.memory_bytes));
  if (pod.has_device) {
    text(out, kResourcePlaceholder, fmt::format("{}", pod.attachments.size()));
    out << YAML::Comment("REPLACE by the resource of the attachment's devices");
  }
  out << YAML::EndMap;
}

void resources(YAML::Emitter& out, const PodPlan& pod) {
  out << YAML::Key << "resources" << YAML::Value << YAML::BeginMap;
  amounts(out, "requests", pod);
  amounts(out, "limits", pod);
  out << YAML::EndMap;
}

void environment(YAML::Emitter& out, const std::vector<model::Advice>& advice) {
  const auto settings = common_settings(advice);
  if (settings.empty()) return;
  out << YAML::Key << "env" << YAML::Value << YAML::BeginSeq;
  for (const auto& [name, value] : settings) {
    out << YAML::BeginMap;
    plain(out, "name", name);
    text(out, "value", value);
    out << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

void list_of_one(YAML::Emitter& out, const char* key, const char* value) {
  out << YAML::Key << key << YAML::Value << YAML::BeginSeq << value << YAML::EndSeq;
}

void container_security(YAML::Emitter& out, const PodPlan& pod) {
  out << YAML::Key << "securityContext" << YAML::Value << YAML::BeginMap;
  flag(out, "allowPrivilegeEscalation", false);
  out << YAML::Key << "capabilities" << YAML::Value << YAML::BeginMap;
  list_of_one(out, "drop", "ALL");
  if (pod.needs_ipc_lock) list_of_one(out, "add", "IPC_LOCK");
  out << YAML::EndMap << YAML::EndMap;
}

void container(YAML::Emitter& out, const PodPlan& pod, const std::vector<model::Advice>& advice,
               bool has_image) {
  out << YAML::Key << "containers" << YAML::Value << YAML::BeginSeq << YAML::BeginMap;
  plain(out, "name", kContainer);
  if (has_image) {
    text(out, "image", "registry.example/training:tag");
    out << YAML::Comment("REPLACE by the job's image");
  }
  environment(out, advice);
  resources(out, pod);
  container_security(out, pod);
  out << YAML::Key << "volumeMounts" << YAML::Value << YAML::BeginSeq << YAML::BeginMap;
  plain(out, "name", "dshm");
  plain(out, "mountPath", "/dev/shm");
  out << YAML::EndMap << YAML::EndSeq;
  out << YAML::EndMap << YAML::EndSeq;
}

void pod_security(YAML::Emitter& out, const PodPlan& pod) {
  out << YAML::Key << "securityContext" << YAML::Value << YAML::BeginMap;
  if (!pod.needs_ipc_lock) flag(out, "runAsNonRoot", true);
  out << YAML::Key << "seccompProfile" << YAML::Value << YAML::BeginMap;
  plain(out, "type", "RuntimeDefault");
  out << YAML::EndMap << YAML::EndMap;
}

void volumes(YAML::Emitter& out, const PodPlan& pod) {
  out << YAML::Key << "volumes" << YAML::Value << YAML::BeginSeq << YAML::BeginMap;
  plain(out, "name", "dshm");
  out << YAML::Key << "emptyDir" << YAML::Value << YAML::BeginMap;
  plain(out, "medium", "Memory");
  text(out, "sizeLimit", gibibytes(pod.shm_bytes));
  out << YAML::EndMap << YAML::EndMap << YAML::EndSeq;
}

void spec(YAML::Emitter& out, const PodPlan& pod, const std::vector<model::Advice>& advice,
          bool has_image) {
  out << YAML::Key << "spec" << YAML::Value << YAML::BeginMap;
  if (has_image) plain(out, "restartPolicy", "Never");
  if (pod.network == PodNetwork::kHost) {
    flag(out, "hostNetwork", true);
    plain(out, "dnsPolicy", "ClusterFirstWithHostNet");
  }
  pod_security(out, pod);
  container(out, pod, advice, has_image);
  volumes(out, pod);
  out << YAML::EndMap;
}

std::string heading(const std::string& origin, const PodPlan& pod, const std::string& use) {
  return fmt::format(
      "{} from {}\n{}# Memory: {} for the job (REPLACE by what it needs) and {} of /dev/shm.\n"
      "# The reasons stand in advice.json.\n",
      kMark, base::printable(origin), use, gibibytes(pod.job_bytes), gibibytes(pod.shm_bytes));
}

std::string whole_pod(const PodPlan& pod, const std::vector<model::Advice>& advice) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  plain(out, "apiVersion", "v1");
  plain(out, "kind", "Pod");
  out << YAML::Key << "metadata" << YAML::Value << YAML::BeginMap;
  plain(out, "name", kContainer);
  annotations(out, pod);
  out << YAML::EndMap;
  spec(out, pod, advice, true);
  out << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

std::string job_patch(const PodPlan& pod, const std::vector<model::Advice>& advice) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  plain(out, "apiVersion", "batch/v1");
  plain(out, "kind", "Job");
  out << YAML::Key << "metadata" << YAML::Value << YAML::BeginMap;
  plain(out, "name", kContainer);
  out << YAML::EndMap;
  out << YAML::Key << "spec" << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "template" << YAML::Value << YAML::BeginMap;
  if (has_annotations(pod)) {
    out << YAML::Key << "metadata" << YAML::Value << YAML::BeginMap;
    annotations(out, pod);
    out << YAML::EndMap;
  }
  spec(out, pod, advice, false);
  out << YAML::EndMap << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

}  // namespace

std::vector<OutputFile> pod_files(const PodPlan& pod, const std::vector<model::Advice>& advice,
                                  const std::string& origin) {
  return {{"pod.yaml", heading(origin, pod,
                               "# A pod of the job. Lines with REPLACE are not from the "
                               "measurement.\n") +
                           whole_pod(pod, advice)},
          {"pod.patch.yaml",
           heading(origin, pod,
                   "# Strategic-merge patch for a Job: in a kustomization under patches, with "
                   "target: {kind: Job}.\n# The container that it patches is the one of this "
                   "name.\n") +
               job_patch(pod, advice)}};
}

}  // namespace ringwise::recommend
