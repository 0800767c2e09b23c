// The kinds of pod network: what each takes to be used, what it gives up, and what rules it out.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/record.h"

namespace ringwise::recommend {

/// How a pod says which network it wants.
enum class PodNetwork {
  kUnknown,
  kOverlay,  ///< says nothing: the cluster's default network, tunnelled or not
  kMultus,   ///< annotation k8s.v1.cni.cncf.io/networks
  kGke,      ///< annotation networking.gke.io/interfaces
  kHost,     ///< spec.hostNetwork
};

struct ModeKind {
  std::string_view name;
  PodNetwork network = PodNetwork::kUnknown;
  bool has_device = false;  ///< a device a pod, which a resource of the node hands out
  /// Over the next cheaper one, beyond the interval, for this one to be worth its cost.
  double gain = 1;
  std::string_view cost;  ///< what a pod in it gives up; empty for the default network
};

/// What a secondary network and hostNetwork have to gain to be worth their cost.
inline constexpr double kSecondaryGain = 1.03;
inline constexpr double kHostGain = 1.10;

/// From cheap to costly.
[[nodiscard]] std::span<const ModeKind> mode_kinds();

/// The kind of a mode as detected or labelled ("multus-macvlan", "hostnetwork"); null for a name
/// that is no word for a mode.
[[nodiscard]] const ModeKind* kind_of(std::string_view mode);

enum class PodSecurity { kUnknown, kPrivileged, kBaseline, kRestricted };

/// What the job and its cluster ask for, as the user says it; a record cannot know.
struct Constraints {
  bool needs_rdma = false;
  bool needs_network_policy = false;  ///< NetworkPolicy has to cover the job's traffic
  PodSecurity pod_security = PodSecurity::kUnknown;  ///< that the namespace enforces
  std::optional<int> ssh_port = std::nullopt;        ///< that the job's sshd listens on
  std::string provider = {};  ///< of knowledge/vendor_profiles.h: "aws"; empty = not said
};

/// Why a pod in this mode cannot be had, in words; absent when nothing is against it.
/// `runs` are the complete runs of the mode.
[[nodiscard]] std::optional<std::string> why_ruled_out(
    const ModeKind& kind, const Constraints& constraints,
    std::span<const model::RunRecord* const> runs);

/// Whether RDMA from the measured pods registers memory without IPC_LOCK: all of them are
/// containers and their memlock is unlimited.
[[nodiscard]] bool is_memlock_raised(std::span<const model::Host* const> hosts);

/// The network mode of a result: of its interface, where every host shows the same class for it,
/// else of the whole run, as detected, else as labelled. A label that contradicts what was found
/// does not count. Empty when not known.
[[nodiscard]] std::string mode_of(const model::RunRecord& record, const model::Result& result);
/// The same for the run as a whole.
[[nodiscard]] std::string mode_of(const model::RunRecord& record);

}  // namespace ringwise::recommend
