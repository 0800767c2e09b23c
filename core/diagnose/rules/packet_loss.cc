// packet-loss: retransmits, and at which hosts.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {
namespace {

/// Segments sent again, as a share, below which nothing is said: queues that overflow lose some.
constexpr double kLeastShare = 0.003;
/// And so many times the share of the pairs without that host.
constexpr double kFactor = 5;
constexpr double kUsualMtu = 1500;

/// A packet that is lost at random takes small messages with it: where this share of segments is
/// sent again, the slowest in a hundred small messages has waited for a retransmission. Where none
/// has, only a queue overflows while large data is sent: a limit of the rate, and no loss.
constexpr double kSeenByMessages = 0.015;
/// source: TCP_RTO_MIN of Linux is 200 ms; half a round trip is what the record has.
constexpr double kRetransmissionUs = 10'000;

bool has_waited(const model::PairResult& pair) {
  // Far hosts answer late without any loss.
  return pair.latency_us_p99.value_or(0) >= kRetransmissionUs + 2 * pair.latency_us_p50.value_or(0);
}

bool is_queue_only(const model::PairResult& pair, double share) {
  return share >= kSeenByMessages && pair.latency_us_p99 && !has_waited(pair);
}

struct Count {
  double again = 0;
  double sent = 0;
  [[nodiscard]] double share() const { return sent > 0 ? again / sent : 0; }
};

/// What the pairs of one interface show.
struct Tally {
  std::map<std::string, Count> with;  ///< by host: the pairs that it is an end of
  std::map<std::string, std::vector<model::FindingEvidence>> evidence;
  std::vector<model::FindingEvidence> all_evidence;
  std::set<std::string> clean;   ///< hosts with a pair that loses nothing
  std::set<std::string> queued;  ///< ends of pairs whose queue overflows: no word on their loss
  Count all;
};

void add(Tally& tally, const InputRun& run, const PairPlace& place) {
  const auto& pair = *place.pair;
  const std::array ends{host_of(*run.record, pair.src), host_of(*run.record, pair.dst)};
  const double segment = pair.path_mtu.value_or(static_cast<int>(kUsualMtu)) - 52.0;
  const Count here{static_cast<double>(*pair.retransmits),
                   static_cast<double>(*pair.payload_bytes) / std::max(segment, 500.0)};
  if (is_queue_only(pair, here.share())) {
    tally.queued.insert(ends.begin(), ends.end());
    return;
  }
  tally.all.again += here.again;
  tally.all.sent += here.sent;
  for (const auto& host : ends) {
    tally.with[host].again += here.again;
    tally.with[host].sent += here.sent;
  }
  if (here.share() < kLeastShare) {
    tally.clean.insert(ends.begin(), ends.end());
    return;
  }
  const model::FindingEvidence seen{
      .file = run.source,
      .text = fmt::format("{}: {} to {}: {} of about {:.0f} segments were sent again ({:.2g} %)",
                          place.key, ends[0], ends[1], *pair.retransmits, here.sent,
                          here.share() * 100)};
  for (const auto& host : ends) tally.evidence[host].push_back(seen);
  tally.all_evidence.push_back(seen);
}

model::FindingSetting check_link(const std::string& name) {
  return {.name = name, .value = "check cable, port and error counters", .where = "fabric"};
}

/// Hosts whose pairs lose clearly more than the pairs without them. True when there is one.
bool find_lossy_hosts(const std::string& interface, Tally& tally, model::Diagnosis& diagnosis) {
  bool is_found = false;
  for (const auto& [host, count] : tally.with) {
    const Count without{tally.all.again - count.again, tally.all.sent - count.sent};
    if (tally.queued.contains(host) || count.share() < kLeastShare || without.sent <= 0 ||
        count.share() < kFactor * without.share()) {
      continue;
    }
    auto finding =
        finding_of("packet-loss", model::Severity::kError,
                   fmt::format("{} loses packets on {}: {:.2g} % of segments are sent again", host,
                               interface, count.share() * 100));
    finding.evidence = std::move(tally.evidence[host]);
    finding.settings = {check_link(fmt::format("link of {} on {}", interface, host))};
    finding.why = fmt::format(
        "Pairs with {} have it, pairs without it {:.2g} %: the loss is at that host or its "
        "link, and not in the fabric.",
        host, without.share() * 100);
    finding.confidence = 0.9;
    diagnosis.findings.push_back(std::move(finding));
    is_found = true;
  }
  return is_found;
}

/// Loss that no single host stands out with.
void find_spread_loss(const InputRun& run, const std::string& interface, Tally& tally,
                      model::Diagnosis& diagnosis) {
  std::vector<std::string> hosts;
  std::vector<std::string> always;  ///< without a single clean pair
  for (const auto& [host, count] : tally.with) {
    hosts.push_back(host);
    if (!tally.clean.contains(host)) always.push_back(host);
  }
  if (tally.all.share() < kLeastShare) return;
  const auto& named = always.empty() ? hosts : always;
  if (tally.all.share() < kSeenByMessages) {
    // Little enough for queues that overflow.
    if (hosts.size() == 2) {
      diagnosis.unknown.push_back(fmt::format(
          "{}: {:.2g} % of the segments between {} are sent again on {}; which end loses them two "
          "hosts alone do not show",
          run.source, tally.all.share() * 100, listed(hosts), interface));
    }
    return;
  }
  auto finding = finding_of(
      "packet-loss", model::Severity::kError,
      fmt::format("packets are lost on {} between {}: {:.2g} % of segments are sent again",
                  interface, listed(named), tally.all.share() * 100));
  finding.evidence = std::move(tally.all_evidence);
  for (const auto& host : named) {
    finding.settings.push_back(check_link(fmt::format("link of {} on {}", interface, host)));
  }
  if (hosts.size() == 2) {
    finding.why = "Which end loses them two hosts alone do not show; a third host does.";
  } else if (always.size() == hosts.size()) {
    finding.why = "No pair is without it: several hosts lose packets, or the fabric between them.";
  } else if (!always.empty()) {
    finding.why = "Every pair with one of these hosts has it, and others have not.";
  } else {
    finding.why = "Some pairs have it and every host has a pair without it: paths in the fabric.";
  }
  finding.confidence = 0.7;
  diagnosis.findings.push_back(std::move(finding));
}

}  // namespace

void find_packet_loss(const InputRun& run, model::Diagnosis& diagnosis) {
  std::map<std::string, Tally> tallies;  // by interface
  std::map<std::string, Tally> whole;    // of pairs that nothing else keeps from working
  for (const auto& place : one_way_pairs(*run.record)) {
    const auto& pair = *place.pair;
    if (!pair.retransmits || !pair.payload_bytes) continue;
    const auto interface = base::printable(place.result->interface.value_or("?"));
    add(tallies[interface], run, place);
    const bool is_hindered =
        pair.status != model::Status::kOk || (pair.path && model::is_too_narrow(*pair.path));
    if (!is_hindered) add(whole[interface], run, place);
  }
  for (auto& [interface, tally] : tallies) {
    if (!tally.queued.empty()) {
      diagnosis.unknown.push_back(fmt::format(
          "{}: segments are sent again between {} on {}, but no small message waits for it: a "
          "queue overflows under load (a limit of the rate or of each flow), and loss there would "
          "not be seen",
          run.source, listed({tally.queued.begin(), tally.queued.end()}), interface));
    }
    if (!find_lossy_hosts(interface, tally, diagnosis)) {
      find_spread_loss(run, interface, whole[interface], diagnosis);
    }
  }
}

}  // namespace ringwise::diagnose
