#include "recommend/vendor.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::recommend {
namespace {

constexpr std::array<std::string_view, 2> kTuning{"NCCL_SOCKET_NTHREADS", "NCCL_NSOCKS_PERTHREAD"};

/// source: PCI IDs of the Linux drivers efa (1d0f:efa0 to efa3) and gve (1ae0:0042).
bool has_efa(const model::Host& host) {
  return std::any_of(host.pci.begin(), host.pci.end(), [](const auto& device) {
    return device.vendor == "0x1d0f" && device.device.starts_with("0xefa");
  });
}

bool has_driver(const model::Host& host, std::string_view driver) {
  return std::any_of(host.interfaces.begin(), host.interfaces.end(),
                     [&](const auto& one) { return one.driver == driver; });
}

bool has_link_layer(const model::Host& host, std::string_view layer) {
  return std::any_of(host.rdma.begin(), host.rdma.end(), [&](const auto& device) {
    return std::any_of(device.ports.begin(), device.ports.end(),
                       [&](const auto& port) { return port.link_layer == layer; });
  });
}

/// The profile that a host's devices show, with what shows it; empty slug when none.
struct Seen {
  std::string_view slug;
  std::string_view why;
};
Seen seen_on(const model::Host& host) {
  if (has_efa(host)) return {"aws-efa", "it has an EFA device"};
  if (has_driver(host, "gve") && !host.gpus.empty()) {
    return has_link_layer(host, "Ethernet") ? Seen{"gke-gib", "it has gVNIC, GPUs and RoCE devices"}
                                            : Seen{"gke-tcpxo", "it has gVNIC and GPUs"};
  }
  const bool is_azure = has_driver(host, "hv_netvsc") || has_driver(host, "mana");
  if (is_azure && has_link_layer(host, "InfiniBand")) {
    return {"azure-ib", "it has an Azure network device and InfiniBand"};
  }
  return {};
}

}  // namespace

std::vector<VendorMatch> vendor_matches(const Evidence& evidence) {
  std::vector<VendorMatch> matches;
  for (const auto* host : evidence.hosts) {
    const auto seen = seen_on(*host);
    if (seen.slug.empty()) continue;
    const auto* profile = knowledge::vendor_profile(seen.slug);
    matches.push_back({profile, fmt::format("{}: {}", base::printable(host->host), seen.why)});
    break;
  }
  for (const auto& profile : knowledge::vendor_profiles()) {
    const bool is_known = std::any_of(matches.begin(), matches.end(), [&](const auto& match) {
      return match.profile->provider == profile.provider;
    });
    if (profile.provider == evidence.constraints.provider && !is_known) {
      matches.push_back({&profile, fmt::format("--provider {}", profile.provider)});
    }
  }
  return matches;
}

void yield_to(const std::vector<VendorMatch>& matches, std::vector<model::Advice>& advice) {
  if (matches.empty()) return;
  for (auto& one : advice) {
    if (std::ranges::find(kTuning, one.name) == kTuning.end()) continue;
    if (!one.value && one.per_host.empty()) continue;
    one.state = model::AdviceState::kUnset;
    one.reason = fmt::format("the profile of {} decides it; measured here: {}",
                             matches.front().profile->name, one.reason);
    one.value.reset();
    one.per_host.clear();
  }
}

}  // namespace ringwise::recommend
