// too-few-streams: something limits each TCP flow, or one stream is bound by a CPU.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"
#include "stats/interval.h"

namespace ringwise::diagnose {
namespace {

constexpr std::uint64_t kLarge = std::uint64_t{4} << 20;
/// A ring is bounded by its slowest path: clearly above one stream of the slowest pair it can be
/// only because it uses several.
constexpr double kClearly = 1.4;
/// A smaller difference inside one run is never called, as in compare.
constexpr double kNoise = 1.01;
/// Where blocks give no interval, a setting within this of the best is as good.
constexpr double kAlike = 1.03;
constexpr const char* kSweep =
    "ringwise-probe --probes tcp-allreduce,tcp-pairs --threads 0,1,2,4 --sockets 1,2,4";

/// A result of the wire variant, at the size by which its sweep is judged.
struct Wire {
  const model::Result* result = nullptr;
  const model::SizeResult* size = nullptr;
  std::size_t index = 0;

  [[nodiscard]] int threads() const { return result->threads.value_or(0); }
  [[nodiscard]] int sockets() const { return threads() * result->sockets.value_or(1); }
  [[nodiscard]] int streams() const {
    return result->channels.value_or(1) * std::max(1, sockets());
  }
  [[nodiscard]] double rate() const { return *size->busbw_gbyte_per_s; }
};

using Wires = std::vector<Wire>;

Wires wires_over(const model::RunRecord& record, const std::string& interface) {
  Wires wires;
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    const auto& result = record.results[i];
    if (result.probe != "tcp-allreduce" || result.variant != "wire" || result.nodes < 2 ||
        result.status != model::Status::kOk || result.interface.value_or("?") != interface) {
      continue;
    }
    for (const auto& size : result.sizes) {
      if (size.bytes < kLarge || !size.busbw_gbyte_per_s) continue;
      wires.push_back({.result = &result, .size = &size, .index = i});
    }
  }
  return wires;
}

/// The sweep that reached most: settings with the same channels, at the largest size that most of
/// them have.
Wires best_sweep(const Wires& wires) {
  const auto fastest = std::max_element(
      wires.begin(), wires.end(), [](const auto& a, const auto& b) { return a.rate() < b.rate(); });
  if (fastest == wires.end()) return {};
  std::map<std::uint64_t, Wires> by_size;
  for (const auto& wire : wires) {
    const bool is_same = wire.result->channels == fastest->result->channels &&
                         wire.result->settings == fastest->result->settings;
    if (is_same) by_size[wire.size->bytes].push_back(wire);
  }
  const Wires* most = nullptr;
  for (const auto& [bytes, sweep] : by_size) {
    if (most == nullptr || sweep.size() >= most->size()) most = &sweep;
  }
  return *most;
}

/// Is `best` faster by what its blocks show?
bool is_clearly_slower(const Wire& wire, const Wire& best) {
  const auto& mine = wire.size->block_medians_us;
  const auto& its = best.size->block_medians_us;
  if (mine.size() == its.size()) {
    if (const auto ratio = stats::ratio_interval(mine, its)) return ratio->low > kNoise;
  }
  return wire.rate() * kAlike < best.rate();
}

const Wire& smallest_of_the_best(const Wires& sweep) {
  const auto best = std::max_element(
      sweep.begin(), sweep.end(), [](const auto& a, const auto& b) { return a.rate() < b.rate(); });
  const Wire* chosen = &*best;
  for (const auto& wire : sweep) {
    const bool is_smaller =
        std::pair(wire.sockets(), wire.threads()) < std::pair(chosen->sockets(), chosen->threads());
    if (is_smaller && !is_clearly_slower(wire, *best)) chosen = &wire;
  }
  return *chosen;
}

std::vector<model::FindingSetting> settings_of(const Wire& chosen, bool is_swept) {
  const auto env = [&](const char* name, int value) {
    model::FindingSetting setting{.name = name, .where = "env"};
    if (!is_swept) {
      setting.measure = kSweep;
    } else if (chosen.threads() > 0) {
      setting.value = fmt::format("{}", value);
    }
    return setting;
  };
  return {env("NCCL_SOCKET_NTHREADS", chosen.threads()),
          env("NCCL_NSOCKS_PERTHREAD", chosen.result->sockets.value_or(1))};
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
    const auto sweep = best_sweep(wires_over(record, interface));
    if (sweep.empty()) continue;
    const auto& chosen = smallest_of_the_best(sweep);
    const double one = slowest.pair->high.value_or(*slowest.pair->gbit_per_s);
    if (8 * chosen.size->low.value_or(chosen.rate()) < kClearly * one) continue;
    const bool is_swept = sweep.size() > 1;
    // What NCCL does by itself is as good: nothing is to be changed.
    const bool is_harmless = is_swept && chosen.threads() == 0;
    auto finding = finding_of(
        "too-few-streams", is_harmless ? model::Severity::kInfo : model::Severity::kWarning,
        fmt::format("one TCP stream carries {:.3g} Gbit/s from {} to {}, {} carry {:.3g}",
                    *slowest.pair->gbit_per_s, host_of(record, slowest.pair->src),
                    host_of(record, slowest.pair->dst), chosen.streams(), 8 * chosen.rate()));
    finding.evidence = {
        {.file = run.source,
         .text =
             fmt::format("{}: one stream {:.3g} Gbit/s", slowest.key, *slowest.pair->gbit_per_s)},
        {.file = run.source,
         .text =
             fmt::format("results[{}], {}: {:.3g} GB/s with {} streams a direction", chosen.index,
                         base::format_bytes(chosen.size->bytes), chosen.rate(), chosen.streams())}};
    finding.settings = settings_of(chosen, is_swept);
    finding.why =
        std::string(
            "A limit for each flow (cloud networks have one), or a CPU that one "
            "stream keeps busy. ") +
        (is_swept ? fmt::format("Of {} settings tried this is the smallest that none is "
                                "certainly faster than; ringwise recommend holds it against "
                                "NCCL's default.",
                                sweep.size())
                  : std::string("One setting was measured, so how many streams fill the path "
                                "is not known: the sweep finds out."));
    finding.confidence = 0.85;
    diagnosis.findings.push_back(std::move(finding));
  }
}

}  // namespace ringwise::diagnose
