// What the rules of mode detection look at.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/host.h"

namespace ringwise::system {

/// Whose network namespace this is.
enum class Surroundings {
  kNode,  ///< the machine's own: a plain host or a hostNetwork pod
  kPod,   ///< one of a pod or container
  kOpen,  ///< nothing tells
};

/// Refers to the host it was made of.
struct Scene {
  const model::Host& host;
  /// The pod's own network, or a machine's default route; null when there is none.
  const model::Interface* primary = nullptr;
  Surroundings surroundings = Surroundings::kOpen;
  /// What tells the surroundings, in words, in the order of its weight.
  std::vector<std::string> evidence;
};

[[nodiscard]] Scene make_scene(const model::Host& host);

/// The interface of that name; null when there is none.
[[nodiscard]] const model::Interface* find_interface(const model::Host& host,
                                                     std::string_view name);

/// The network of `source` ("multus", "gke") that is on this interface; null when there is none.
[[nodiscard]] const model::PodNetwork* find_network(const model::Host& host,
                                                    const model::Interface& interface,
                                                    std::string_view source);

/// A device with a driver or a PCI address of its own, a NIC's or a VF's.
[[nodiscard]] bool is_hardware(const model::Interface& interface);

/// A veth or netkit device whose other end is in another network namespace.
[[nodiscard]] bool is_pod_link(const model::Interface& interface);

/// Whether anything says that this runs under Kubernetes.
[[nodiscard]] bool is_kubernetes(const model::Host& host);

/// "MTU 1450", "MTU 1500, 1450 on a route".
[[nodiscard]] std::string mtu_text(const model::Interface& interface);

}  // namespace ringwise::system
