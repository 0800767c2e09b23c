// too-few-streams: something limits each TCP flow, or one stream is bound by a CPU.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"
#include "plan/socket_sweep.h"
#include "plan/usable.h"

namespace ringwise::diagnose {
namespace {

/// A ring is bounded by its slowest path: clearly above one stream of the slowest pair it can be
/// only because it uses several.
constexpr double kClearly = 1.4;
constexpr const char* kSweep =
    "ringwise-probe --probes tcp-allreduce,tcp-pairs --threads 0,1,2,4 --sockets 1,2,4";

using Results = std::vector<const model::Result*>;

const model::SizeResult* largest(const model::Result& result) {
  const model::SizeResult* found = nullptr;
  for (const auto& size : result.sizes) {
    const bool is_larger = found == nullptr || size.bytes >= found->bytes;
    if (size.bytes >= plan::kSweepFrom && size.busbw_gbyte_per_s && is_larger) found = &size;
  }
  return found;
}

double rate(const model::Result& result) {
  return *largest(result)->busbw_gbyte_per_s;
}

/// Streams in each direction between two neighbours.
int streams(const model::Result& result) {
  return result.channels.value_or(1) *
         std::max(1, result.threads.value_or(0) * result.sockets.value_or(1));
}

/// Results of the wire variant between hosts that reach large sizes.
Results wires_over(const model::RunRecord& record, const std::string& interface) {
  Results wires;
  for (const auto& result : record.results) {
    if (result.probe != "tcp-allreduce" || result.variant != "wire" || result.nodes < 2 ||
        result.status != model::Status::kOk || result.interface.value_or("?") != interface ||
        result.path_proof.state == model::ProofState::kContradicted) {
      continue;
    }
    if (largest(result) != nullptr) wires.push_back(&result);
  }
  return wires;
}

/// Usable settings beside NCCL's default, as recommend compares them; empty without the default.
plan::SocketSweep sweep_of(const model::RunRecord& record, const std::string& interface,
                           const Results& wires) {
  std::vector<std::optional<std::string>> vendors;
  for (const auto& host : record.hosts) {
    const auto* used = interface_of(host, interface);
    if (used != nullptr) vendors.push_back(used->pci_vendor);
  }
  const auto defaults = plan::agreed_socket_plan(vendors);
  if (!defaults) return {};
  Results usable;
  for (const auto* result : wires) {
    const bool is_untuned = result->settings.empty() && result->family == wires.front()->family;
    if (is_untuned && !plan::unfit(*result)) usable.push_back(result);
  }
  const auto first_host = interface.substr(0, interface.find('|'));
  const auto nics = 1 + std::count(first_host.begin(), first_host.end(), ',');
  return plan::socket_sweep(usable, *defaults,
                            plan::channel_plan(static_cast<std::size_t>(nics), {}).channels);
}

std::vector<model::FindingSetting> settings_of(const plan::SocketSweep& sweep,
                                               const plan::SocketTrial* chosen) {
  const auto env = [&](const char* name, int value) {
    model::FindingSetting setting{.name = name, .where = "env"};
    if (sweep.others.empty()) {
      setting.measure = kSweep;
    } else if (chosen != nullptr && value > 0) {
      setting.value = fmt::format("{}", value);
    }
    return setting;
  };
  const int threads = chosen == nullptr ? 0 : chosen->threads();
  return {env("NCCL_SOCKET_NTHREADS", threads),
          env("NCCL_NSOCKS_PERTHREAD", threads == 0 ? 0 : chosen->sockets())};
}

std::string reason_of(const plan::SocketSweep& sweep, const plan::SocketTrial* chosen) {
  const std::string limit =
      "A limit for each flow (cloud networks have one), or a CPU that one stream keeps busy. ";
  if (sweep.others.empty()) {
    return limit +
           "NCCL's default and other settings were not measured in one run, so how many streams "
           "fill the path is not known: the sweep finds out.";
  }
  if (chosen == nullptr) {
    return limit + fmt::format(
                       "None of {} other settings is certainly faster than NCCL's default "
                       "by {:.0f} %: nothing is to be changed.",
                       sweep.others.size(), (plan::kLeastGain - 1) * 100);
  }
  return limit + fmt::format(
                     "Of {} settings tried, {} is the smallest that is not behind the "
                     "best; it moves {} of what NCCL's default moves.",
                     sweep.others.size() + 1, chosen->text(), chosen->over_default.text());
}

/// Flows of one round that begin or end at a host; more than one share its link.
using Flows = std::map<std::tuple<const model::Result*, int, std::string>, int>;

Flows flows_of(const model::RunRecord& record) {
  Flows flows;
  std::set<std::tuple<const model::Result*, int, std::set<int>>> seen;
  for (const auto& [result, pair, key] : one_way_pairs(record)) {
    // Both directions of a pair are one after the other.
    if (!seen.insert({result, pair->round, {pair->src, pair->dst}}).second) continue;
    for (const int rank : {pair->src, pair->dst}) {
      ++flows[{result, pair->round, host_of(record, rank)}];
    }
  }
  return flows;
}

/// The slowest pair of each interface that had its hosts' links to itself.
std::map<std::string, PairPlace> slowest_pairs(const model::RunRecord& record) {
  const auto flows = flows_of(record);
  std::map<std::string, PairPlace> slowest;  // by interface
  for (const auto& place : one_way_pairs(record)) {
    if (!place.pair->gbit_per_s || place.pair->status != model::Status::kOk) continue;
    const auto is_alone = [&](int rank) {
      return flows.at({place.result, place.pair->round, host_of(record, rank)}) == 1;
    };
    if (!is_alone(place.pair->src) || !is_alone(place.pair->dst)) continue;
    auto& here = slowest[place.result->interface.value_or("?")];
    if (here.pair == nullptr || *place.pair->gbit_per_s < *here.pair->gbit_per_s) here = place;
  }
  return slowest;
}

}  // namespace

void find_flow_limits(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto& record = *run.record;
  for (const auto& [interface, slowest] : slowest_pairs(record)) {
    const auto wires = wires_over(record, interface);
    if (wires.empty()) continue;
    const auto sweep = sweep_of(record, interface, wires);
    const auto* chosen = plan::smallest_of_the_best(sweep);
    const auto* fastest =
        *std::max_element(wires.begin(), wires.end(),
                          [](const auto* a, const auto* b) { return rate(*a) < rate(*b); });
    const bool is_swept = !sweep.others.empty();
    const auto& ring = chosen != nullptr ? *chosen->result : is_swept ? *sweep.base : *fastest;
    const double one = slowest.pair->high.value_or(*slowest.pair->gbit_per_s);
    if (8 * largest(ring)->low.value_or(rate(ring)) < kClearly * one) continue;
    // What NCCL does by itself is as good: nothing is to be changed.
    const bool is_harmless = is_swept && chosen == nullptr;
    auto finding = finding_of(
        "too-few-streams", is_harmless ? model::Severity::kInfo : model::Severity::kWarning,
        fmt::format("one TCP stream carries {:.3g} Gbit/s from {} to {}, {} carry {:.3g}",
                    *slowest.pair->gbit_per_s, host_of(record, slowest.pair->src),
                    host_of(record, slowest.pair->dst), streams(ring), 8 * rate(ring)));
    finding.evidence = {
        {.file = run.source,
         .text =
             fmt::format("{}: one stream {:.3g} Gbit/s", slowest.key, *slowest.pair->gbit_per_s)},
        {.file = run.source,
         .text = fmt::format("results[{}], {}: {:.3g} GB/s with {} streams a direction",
                             &ring - record.results.data(),
                             base::format_bytes(largest(ring)->bytes), rate(ring), streams(ring))}};
    finding.settings = settings_of(sweep, chosen);
    finding.why = reason_of(sweep, chosen);
    finding.confidence = 0.85;
    diagnosis.findings.push_back(std::move(finding));
  }
}

}  // namespace ringwise::diagnose
