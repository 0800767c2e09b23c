// Which interfaces and addresses NCCL's sockets would use on a host.
// Source: NCCL 2.30.7 src/misc/socket.cc (ncclFindInterfaces), src/misc/utils.cc
// (parseStringList, matchIfList), src/bootstrap.cc (bootstrapNetInit); checked against the real
// library by tests/oracle.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/socket_facts.h"
#include "model/host.h"
#include "plan/nccl_integer.h"

namespace ringwise::plan {

inline constexpr std::size_t kMaxInterfaces = knowledge::kMaxSocketInterfaces;

/// NCCL_SOCKET_IFNAME: ['^'] ['='] name [':' port] {',' name [':' port]}.
struct IfnameSpec {
  bool is_exclusion = false;         ///< '^': everything but the matches
  bool is_exact = false;             ///< '=': whole names; otherwise a token is a prefix
  std::vector<std::string> tokens;   ///< none = every interface matches
  std::vector<std::string> dropped;  ///< tokens after the 16th, which NCCL does not look at
};

/// Never fails, as NCCL's reading never does: ports are cut off, empty tokens are skipped, and '^'
/// or '=' anywhere but at the start belongs to a name.
[[nodiscard]] IfnameSpec parse_ifname(std::string_view text);

/// Whether an interface of this name is used under `spec`.
[[nodiscard]] bool matches(const IfnameSpec& spec, std::string_view interface_name);

struct SelectionEnv {
  std::optional<std::string> socket_ifname = std::nullopt;  ///< NCCL_SOCKET_IFNAME
  std::optional<std::string> socket_family = std::nullopt;  ///< NCCL_SOCKET_FAMILY
  std::optional<std::string> comm_id = std::nullopt;        ///< NCCL_COMM_ID
  std::optional<std::string> nccl_version = std::nullopt;   ///< "2.28.9"; absent = newest known
};

/// The variables of `environment` that matter here.
[[nodiscard]] SelectionEnv selection_env(const Environment& environment,
                                         const std::optional<std::string>& nccl_version);

struct ChosenInterface {
  std::string name;
  int index = 0;        ///< kernel's number of the interface
  std::string family;   ///< "inet" or "inet6"
  std::string address;  ///< without prefix length and zone
  int prefix_length = 0;
  std::string scope;                 ///< "link" addresses need `index` as their zone
  std::optional<std::string> label;  ///< of the address, when it is not the interface's name
};

struct SelectionResult {
  std::vector<ChosenInterface> chosen;  ///< in the order in which they are used
  std::string rule;                     ///< the rule that chose them, in words
  std::string error;                    ///< why nothing was chosen, with what there is; else empty
  std::vector<std::string> notes;       ///< what a person might not expect of the settings
};

/// What the socket transport uses for data (all matches, up to 16), and with `max` 1 what RAS and
/// the InfiniBand out-of-band channel use. `interfaces` in kernel order, with their addresses in
/// kernel order: as getifaddrs lists them, IPv4 addresses of all interfaces come before IPv6 ones.
[[nodiscard]] SelectionResult select_interfaces(const std::vector<model::Interface>& interfaces,
                                                const SelectionEnv& env,
                                                std::size_t max = kMaxInterfaces);

/// What bootstrap uses: one interface. It differs from select_interfaces when NCCL_COMM_ID is
/// set: then the subnet of that address decides alone, whatever NCCL_SOCKET_IFNAME and
/// NCCL_SOCKET_FAMILY say, and an interface without link counts too.
[[nodiscard]] SelectionResult select_bootstrap(const std::vector<model::Interface>& interfaces,
                                               const SelectionEnv& env);

/// The first address of every interface that has a link and matches, IPv4 ones first, at most
/// `max`; never IPv6 loopback. `family` is "inet", "inet6" or absent for both. The search that
/// NCCL_SOCKET_IFNAME and every step of the automatic choice rest on.
[[nodiscard]] std::vector<ChosenInterface> find_matches(
    const std::vector<model::Interface>& interfaces, const IfnameSpec& spec,
    const std::optional<std::string>& family, std::size_t max);

/// What a person might not expect of a list given as `setting` ("NCCL_SOCKET_IFNAME").
[[nodiscard]] std::vector<std::string> notes_on(const IfnameSpec& spec, std::string_view setting);

/// "eth0 10.0.0.1 fe80::1, eth1 (no link) 10.1.0.1": what there is to choose from.
[[nodiscard]] std::string describe(const std::vector<model::Interface>& interfaces);

}  // namespace ringwise::plan
