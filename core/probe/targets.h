// Which interfaces a stage measures over, on this rank.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/host.h"
#include "probe/stage.h"

namespace ringwise::probe {

/// One local end: an interface with the address that connections are bound to.
struct Endpoint {
  std::string interface;
  std::string address;  ///< numeric, without scope id
  std::string family;   ///< "inet" or "inet6"
  int index = 0;        ///< interface index: the scope id of a link-local address
  std::optional<std::string> pci_vendor;
  std::optional<std::int64_t> speed_mbit_per_s;
  std::optional<int> mtu;  ///< bytes
  bool is_loopback = false;
};

/// Interfaces that are used together.
struct Target {
  std::vector<Endpoint> endpoints;
  std::string rule;  ///< what chose them, in words
  /// Names joined by commas, for records.
  [[nodiscard]] std::string label() const;
};

/// What --interface or NCCL's own rule selects of these interfaces, for the record and the checks
/// before measuring.
struct Selection {
  std::vector<std::string> interfaces;
  std::vector<std::string> families;  ///< "inet" or "inet6", of each of `interfaces`
  std::optional<std::string> bootstrap;
  std::string rule;
  std::string error;               ///< one line, empty = it can be used
  std::vector<std::string> notes;  ///< settings of the environment that NCCL reads otherwise
};

/// The NCCL_* variables of this process that decide about sockets, as a job would have them.
[[nodiscard]] std::map<std::string, std::string> socket_environment();

[[nodiscard]] Selection select_for_introduction(const std::vector<model::Interface>& interfaces,
                                                const std::optional<std::string>& interface,
                                                const std::vector<std::string>& each_interface);

/// The targets of a stage: one, or one for each of --each-interface. Reads this host's interfaces
/// and the environment (a --settings trial sets NCCL_SOCKET_IFNAME there). Throws Error(kUsage)
/// when nothing is selected.
[[nodiscard]] std::vector<Target> resolve_targets(const StageSpec& spec);

}  // namespace ringwise::probe
