// Which offloads of an interface are in use: through ethtool's netlink family, or from a fixture.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/host.h"

namespace ringwise::system {

/// By index of the interface in this network namespace.
using OffloadsByIndex = std::map<int, model::Offloads>;

/// What the kernel says of every interface, in one request. A kernel without the family "ethtool"
/// (before 5.6) or without this message gives none; what else fails is added to `problems`.
[[nodiscard]] OffloadsByIndex read_offloads(std::vector<std::string>& problems);

/// From the list that scripts/gather-host saves (docs/testing.md): [{"ifindex": 2,
/// "offloads": {"tso": true, ...}}]. Never throws on bad text; what is wrong goes to `problems`.
[[nodiscard]] OffloadsByIndex parse_offloads(std::string_view json,
                                             std::vector<std::string>& problems);

/// Names of an interface's features as the kernel gives them ("tx-tcp-segmentation").
struct Features {
  std::set<std::string, std::less<>> known;   ///< all that the kernel has a name for
  std::set<std::string, std::less<>> active;  ///< those in use
};
[[nodiscard]] model::Offloads offloads_of(const Features& features);

}  // namespace ringwise::system
