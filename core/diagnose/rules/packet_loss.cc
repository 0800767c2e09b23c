// packet-loss: retransmits at one host, and not elsewhere.
#include <algorithm>
#include <map>
#include <set>
#include <string>

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

bool is_queue_only(const model::PairResult& pair, double share) {
  return share >= kSeenByMessages && pair.latency_us_p99 &&
         *pair.latency_us_p99 < kRetransmissionUs;
}

struct Count {
  double again = 0;
  double sent = 0;
  [[nodiscard]] double share() const { return sent > 0 ? again / sent : 0; }
};

}  // namespace

void find_packet_loss(const InputRun& run, model::Diagnosis& diagnosis) {
  std::map<std::string, Count> with;
  std::map<std::string, std::vector<model::FindingEvidence>> evidence;
  Count all;
  std::set<std::string> queued;  ///< ends of pairs whose queue overflows: no word on their loss
  std::map<std::string, std::string> interfaces;
  for (const auto& [result, pair, key] : one_way_pairs(*run.record)) {
    if (!pair->retransmits || !pair->payload_bytes) continue;
    const double segment = pair->path_mtu.value_or(static_cast<int>(kUsualMtu)) - 52.0;
    const Count here{static_cast<double>(*pair->retransmits),
                     static_cast<double>(*pair->payload_bytes) / std::max(segment, 500.0)};
    if (is_queue_only(*pair, here.share())) {
      queued.insert({host_of(*run.record, pair->src), host_of(*run.record, pair->dst)});
      continue;
    }
    all.again += here.again;
    all.sent += here.sent;
    for (const int rank : {pair->src, pair->dst}) {
      const auto host = host_of(*run.record, rank);
      with[host].again += here.again;
      with[host].sent += here.sent;
      interfaces[host] = base::printable(result->interface.value_or("?"));
      if (here.share() < kLeastShare) continue;
      evidence[host].push_back(
          {.file = run.source,
           .text =
               fmt::format("{}: {} to {}: {} of about {:.0f} segments were sent again ({:.2g} %)",
                           key, host_of(*run.record, pair->src), host_of(*run.record, pair->dst),
                           *pair->retransmits, here.sent, here.share() * 100)});
    }
  }
  if (!queued.empty()) {
    diagnosis.unknown.push_back(fmt::format(
        "{}: segments are sent again between {}, but no small message waits for it: a queue "
        "overflows under load (a limit of the rate or of each flow), and loss there would not be "
        "seen",
        run.source, listed({queued.begin(), queued.end()})));
  }
  // With two hosts there are no others to compare with.
  if (with.size() == 2 && all.share() >= kLeastShare) {
    diagnosis.unknown.push_back(fmt::format(
        "{}: {:.2g} % of the segments between {} and {} are sent again; which end loses them two "
        "hosts alone do not show",
        run.source, all.share() * 100, with.begin()->first, with.rbegin()->first));
  }
  for (const auto& [host, count] : with) {
    const Count without{all.again - count.again, all.sent - count.sent};
    if (queued.contains(host) || count.share() < kLeastShare || without.sent <= 0 ||
        count.share() < kFactor * without.share()) {
      continue;
    }
    auto finding =
        finding_of("packet-loss", model::Severity::kError,
                   fmt::format("{} loses packets on {}: {:.2g} % of segments are sent again", host,
                               interfaces[host], count.share() * 100));
    finding.evidence = std::move(evidence[host]);
    finding.settings = {{.name = fmt::format("link of {} on {}", interfaces[host], host),
                         .value = "check cable, port and error counters",
                         .where = "fabric"}};
    finding.why = fmt::format(
        "Pairs with {} have it, pairs without it {:.2g} %: the loss is at that host or its "
        "link, and not in the fabric.",
        host, without.share() * 100);
    finding.confidence = 0.9;
    diagnosis.findings.push_back(std::move(finding));
  }
}

}  // namespace ringwise::diagnose
