// offload-disabled: off on some hosts, on on others.
#include <array>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {
namespace {

struct Flag {
  const char* name;  ///< as `ethtool -K` takes it
  std::optional<bool> model::Offloads::*member;
};
constexpr std::array<Flag, 5> kFlags{{{"tso", &model::Offloads::tso},
                                      {"gso", &model::Offloads::gso},
                                      {"gro", &model::Offloads::gro},
                                      {"tx", &model::Offloads::tx_checksum},
                                      {"rx", &model::Offloads::rx_checksum}}};

/// The measured interface on a host.
const model::Interface* measured(const model::RunRecord& record, const model::Host& host) {
  for (const auto& rank : record.ranks) {
    if (rank.host == host.host && !rank.interfaces.empty()) {
      return interface_of(host, rank.interfaces.front());
    }
  }
  return nullptr;
}

}  // namespace

void find_offloads_off(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto& record = *run.record;
  struct Off {
    std::vector<std::string> flags;
    std::string interface;
  };
  std::map<std::string, Off> off;
  for (const auto& flag : kFlags) {
    std::vector<std::pair<std::string, std::string>> without;
    std::size_t with = 0;
    for (const auto& host : record.hosts) {
      const auto* interface = measured(record, host);
      if (interface == nullptr || !interface->offloads) continue;
      const auto value = (*interface->offloads).*flag.member;
      if (!value) continue;
      if (*value) {
        ++with;
      } else {
        without.emplace_back(host.host, interface->name);
      }
    }
    // Off everywhere is how some devices are.
    if (with == 0) continue;
    for (const auto& [host, interface] : without) {
      off[base::printable(host)].flags.emplace_back(flag.name);
      off[base::printable(host)].interface = base::printable(interface);
    }
  }
  for (const auto& [host, what] : off) {
    const auto flags = base::join(what.flags, " ");
    auto finding = finding_of(
        "offload-disabled", model::Severity::kWarning,
        fmt::format("{} of {} are off on {}, and on elsewhere", flags, what.interface, host));
    finding.evidence = {{.file = run.source,
                         .text = fmt::format("hosts[{}].interfaces[{}].offloads: off: {}", host,
                                             what.interface, flags)}};
    std::string command = fmt::format("ethtool -K {}", what.interface);
    for (const auto& flag : what.flags) command += " " + flag + " on";
    finding.settings = {{.name = fmt::format("offloads of {} on {}", what.interface, host),
                         .value = command,
                         .where = "host"}};
    finding.why =
        "Without segmentation and checksums by the device the CPU pays for every packet; "
        "the slowest host sets the pace of a collective.";
    finding.confidence = 0.9;
    diagnosis.findings.push_back(std::move(finding));
  }
}

}  // namespace ringwise::diagnose
