// mtu-mismatch: the path carries smaller packets than the sender's kernel takes it to.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {
namespace {

struct Hole {
  int arrives = 0;
  int sent = 0;
  std::string interface;
  std::map<std::string, int> hosts;  ///< how many narrow pairs each is part of
  std::vector<model::FindingEvidence> evidence;
};

/// The hosts that are part of most of the narrow pairs: the cause is nearest to them.
std::vector<std::string> suspects(const Hole& hole) {
  int most = 0;
  for (const auto& [host, count] : hole.hosts) most = std::max(most, count);
  std::vector<std::string> names;
  for (const auto& [host, count] : hole.hosts) {
    if (count == most) names.push_back(host);
  }
  return names;
}

}  // namespace

void find_mtu_holes(const InputRun& run, model::Diagnosis& diagnosis) {
  std::map<std::string, Hole> holes;  // by interface
  bool is_known = false;
  for (const auto& [result, pair, key] : one_way_pairs(*run.record)) {
    if (!pair->path) continue;
    is_known = true;
    if (!model::is_too_narrow(*pair->path)) continue;
    auto& hole = holes[base::printable(result->interface.value_or("?"))];
    const auto from = host_of(*run.record, pair->src);
    const auto to = host_of(*run.record, pair->dst);
    const int arrives = *pair->path->forward_mtu;
    hole.arrives = hole.evidence.empty() ? arrives : std::min(hole.arrives, arrives);
    hole.sent = std::max(hole.sent, *pair->path->route_mtu);
    ++hole.hosts[from];
    ++hole.hosts[to];
    hole.evidence.push_back(
        {.file = run.source,
         .text = fmt::format("{}: {} to {}: packets up to {} bytes arrive, the kernel sends {}",
                             key, from, to, arrives, *pair->path->route_mtu)});
  }
  for (auto& [interface, hole] : holes) {
    auto finding = finding_of("mtu-mismatch", model::Severity::kError,
                              fmt::format("packets above {} bytes are lost on {} of {}",
                                          hole.arrives, interface, listed(suspects(hole))));
    finding.evidence = std::move(hole.evidence);
    finding.settings = {{.name = fmt::format("mtu of {}", interface),
                         .value = fmt::format("{}", hole.arrives),
                         .where = "host"}};
    finding.why = fmt::format(
        "Small messages pass and large ones stall, because nobody tells the sender that packets of "
        "{} bytes are too large. Give interface or route this MTU, or let the path carry {}.",
        hole.sent, hole.sent);
    finding.confidence = 0.95;
    diagnosis.findings.push_back(std::move(finding));
  }
  if (!is_known) {
    diagnosis.unknown.emplace_back(
        "packet sizes of the paths: no pair was probed; run ringwise-probe with --probes "
        "tcp-pairs");
  }
}

void find_lowered_routes(const InputRun& run, model::Diagnosis& diagnosis) {
  struct Row {
    std::string interface, text;
    int route = 0, device = 0;
  };
  std::map<std::string, Row> lowered;  // by sending host
  std::set<std::string> full;
  for (const auto& [result, pair, key] : one_way_pairs(*run.record)) {
    if (!pair->path || !pair->path->route_mtu || !pair->path->device_mtu) continue;
    const auto host = host_of(*run.record, pair->src);
    if (*pair->path->route_mtu >= *pair->path->device_mtu) {
      full.insert(host);
      continue;
    }
    lowered[host] = {
        .interface = base::printable(result->interface.value_or("?")),
        .text = fmt::format("{}: {} sends {} bytes at most, its device carries {}", key, host,
                            *pair->path->route_mtu, *pair->path->device_mtu),
        .route = *pair->path->route_mtu,
        .device = *pair->path->device_mtu};
  }
  // All alike is how some pod networks are built (Cilium keeps the tunnel's MTU on the route).
  if (lowered.empty() || full.empty()) return;
  for (const auto& [host, row] : lowered) {
    if (full.contains(host)) continue;
    auto finding = finding_of("mtu-mismatch", model::Severity::kWarning,
                              fmt::format("routes of {} over {} have MTU {}, its device {}", host,
                                          row.interface, row.route, row.device));
    finding.evidence = {{.file = run.source, .text = row.text}};
    finding.settings = {{.name = fmt::format("mtu of the routes over {}", row.interface),
                         .value = fmt::format("{}", row.device),
                         .where = "host"}};
    finding.why =
        "The other hosts use the whole MTU: more packets and more work a byte here than "
        "there. `ip route` shows which route has an mtu.";
    finding.confidence = 0.9;
    diagnosis.findings.push_back(std::move(finding));
  }
}

}  // namespace ringwise::diagnose
