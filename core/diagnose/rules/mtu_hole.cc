// mtu-mismatch: the path carries smaller packets than the sender's kernel takes it to.
#include <algorithm>
#include <climits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {
namespace {

struct Hole {
  int arrives = 0;
  int sent = 0;
  bool is_at_an_end = true;          ///< a device at an end takes no more, everywhere
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

/// The smaller one of the MTUs of the devices at both ends, as far as they are known.
std::optional<int> smallest_device(const std::vector<PairPlace>& pairs, const PairPlace& at) {
  std::optional<int> smallest;
  for (const auto& other : pairs) {
    const bool is_end = other.result == at.result &&
                        (other.pair->src == at.pair->src || other.pair->src == at.pair->dst);
    if (!is_end || !other.pair->path || !other.pair->path->device_mtu) continue;
    smallest = std::min(smallest.value_or(INT_MAX), *other.pair->path->device_mtu);
  }
  return smallest;
}

std::string reason_of(const Hole& hole) {
  if (hole.is_at_an_end) {
    return fmt::format(
        "The devices at the ends differ. TCP agrees on the smaller size when it connects; whatever "
        "else is sent with {} bytes, over RDMA or UDP, is lost without a word. Give all of them "
        "the same MTU.",
        hole.sent);
  }
  return fmt::format(
      "Small messages pass and large ones stall, because nobody tells the sender that packets of "
      "{} bytes are too large. Give interface or route this MTU, or let the path carry {}.",
      hole.sent, hole.sent);
}

}  // namespace

void find_mtu_holes(const InputRun& run, model::Diagnosis& diagnosis) {
  std::map<std::string, Hole> holes;  // by interface
  bool is_known = false;
  const auto pairs = one_way_pairs(*run.record);
  for (const auto& place : pairs) {
    const auto& [result, pair, key] = place;
    if (!pair->path) continue;
    is_known = true;
    if (!model::is_too_narrow(*pair->path)) continue;
    auto& hole = holes[base::printable(result->interface.value_or("?"))];
    const auto from = host_of(*run.record, pair->src);
    const auto to = host_of(*run.record, pair->dst);
    const int arrives = *pair->path->forward_mtu;
    hole.arrives = hole.evidence.empty() ? arrives : std::min(hole.arrives, arrives);
    hole.sent = std::max(hole.sent, *pair->path->route_mtu);
    hole.is_at_an_end =
        hole.is_at_an_end && smallest_device(pairs, place).value_or(INT_MAX) <= arrives;
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
    finding.why = reason_of(hole);
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
