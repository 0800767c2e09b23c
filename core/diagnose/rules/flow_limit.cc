// too-few-streams: something limits each TCP flow, or one stream is bound by a CPU.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
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

/// The largest size by which settings are compared.
const model::SizeResult* largest(const model::Result& result) {
  const model::SizeResult* found = nullptr;
  for (const auto& size : result.sizes) {
    const bool is_larger = found == nullptr || size.bytes >= found->bytes;
    if (size.bytes >= plan::kLargeAtLeast && size.busbw_gbyte_per_s && is_larger) found = &size;
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

/// Results of the wire variant between hosts that reach large sizes, by interface.
std::map<std::string, Results> wires_of(const model::RunRecord& record) {
  std::map<std::string, Results> wires;
  for (const auto& result : record.results) {
    if (result.probe != "tcp-allreduce" || result.variant != "wire" || result.nodes < 2 ||
        result.status != model::Status::kOk ||
        result.path_proof.state == model::ProofState::kContradicted) {
      continue;
    }
    if (largest(result) != nullptr) wires[result.interface.value_or("?")].push_back(&result);
  }
  return wires;
}

/// What NCCL does by itself over these interfaces; absent where the hosts' NICs differ.
std::optional<plan::SocketPlan> defaults_of(const model::RunRecord& record,
                                            const std::string& interface) {
  std::set<std::string> names;
  for (const auto& part : base::split(interface, '|')) {
    for (const auto& name : base::split(part, ',')) names.insert(name);
  }
  std::vector<std::optional<std::string>> vendors;
  for (const auto& host : record.hosts) {
    for (const auto& used : host.interfaces) {
      if (names.contains(used.name)) vendors.push_back(used.pci_vendor);
    }
  }
  return plan::agreed_socket_plan(vendors);
}

/// Usable settings beside NCCL's default, as recommend compares them; empty without the default.
plan::SocketSweep sweep_of(const plan::SocketPlan& defaults, const std::string& interface,
                           const Results& wires) {
  Results usable;
  for (const auto* result : wires) {
    const bool is_untuned = result->settings.empty() && result->family == wires.front()->family;
    if (is_untuned && !plan::unfit(*result)) usable.push_back(result);
  }
  const auto first_host = interface.substr(0, interface.find('|'));
  const auto nics = 1 + std::count(first_host.begin(), first_host.end(), ',');
  return plan::socket_sweep(usable, defaults,
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
           "The run has not both NCCL's default and another setting with the blocks that an "
           "interval takes, so how many streams fill the path is not known: the sweep finds out, "
           "with a longer --time-budget where it came out too short.";
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

/// The slowest pair of each interface that had its hosts' links to itself.
std::map<std::string, PairPlace> slowest_pairs(const model::RunRecord& record) {
  std::map<std::string, PairPlace> slowest;  // by interface
  for (const auto& place : lone_pairs(record)) {
    auto& here = slowest[place.result->interface.value_or("?")];
    if (here.pair == nullptr || *place.pair->gbit_per_s < *here.pair->gbit_per_s) here = place;
  }
  return slowest;
}

/// What one interface shows.
struct Limit {
  PairPlace slowest;         ///< no pair: none was probed
  bool has_defaults = true;  ///< the hosts' NICs have the same
  plan::SocketSweep sweep;
  const plan::SocketTrial* chosen = nullptr;
  const model::Result* ring = nullptr;  ///< what is held against one stream, or the default

  [[nodiscard]] bool is_swept() const { return !sweep.others.empty(); }
  /// By a pair that had its hosts' links to itself.
  [[nodiscard]] bool is_seen_by_pair() const {
    if (slowest.pair == nullptr) return false;
    const double one = slowest.pair->high.value_or(*slowest.pair->gbit_per_s);
    return 8 * largest(*ring)->low.value_or(rate(*ring)) >= kClearly * one;
  }
  [[nodiscard]] bool is_seen_by_sweep() const {
    return chosen != nullptr && chosen->over_default.low >= kClearly;
  }
};

Limit limit_of(const model::RunRecord& record, const std::string& interface, const Results& wires,
               const PairPlace& slowest) {
  Limit limit;
  limit.slowest = slowest;
  const auto defaults = defaults_of(record, interface);
  limit.has_defaults = defaults.has_value();
  if (defaults) limit.sweep = sweep_of(*defaults, interface, wires);
  limit.chosen = plan::smallest_of_the_best(limit.sweep);
  if (limit.chosen != nullptr) {
    limit.ring = limit.chosen->result;
  } else if (limit.is_swept()) {
    limit.ring = limit.sweep.base;
  } else {
    limit.ring = *std::max_element(wires.begin(), wires.end(), [](const auto* a, const auto* b) {
      return rate(*a) < rate(*b);
    });
  }
  return limit;
}

model::Finding limit_finding(const InputRun& run, const Limit& limit, const std::string& title) {
  const auto& record = *run.record;
  // What NCCL does by itself is as good: nothing is to be changed.
  const bool is_harmless = limit.is_swept() && limit.chosen == nullptr;
  auto finding = finding_of(
      "too-few-streams", is_harmless ? model::Severity::kInfo : model::Severity::kWarning, title);
  const auto add = [&](const model::Result& result) {
    finding.evidence.push_back(
        {.file = run.source,
         .text = fmt::format("results[{}], {}: {:.3g} GB/s with {} streams a direction",
                             &result - record.results.data(),
                             base::format_bytes(largest(result)->bytes), rate(result),
                             streams(result))});
  };
  if (limit.is_seen_by_pair()) {
    finding.evidence.push_back(
        {.file = run.source,
         .text = fmt::format("{}: one stream {:.3g} Gbit/s", limit.slowest.key,
                             *limit.slowest.pair->gbit_per_s)});
  } else {
    add(*limit.sweep.base);
  }
  add(*limit.ring);
  finding.settings = settings_of(limit.sweep, limit.chosen);
  finding.why = reason_of(limit.sweep, limit.chosen);
  if (!limit.has_defaults) {
    finding.why +=
        " The hosts' NICs have different defaults, so a sweep's settings are not held "
        "against them here: compare them by hand, and set both variables on all hosts.";
  }
  finding.confidence = 0.85;
  return finding;
}

}  // namespace

void find_flow_limits(const InputRun& run, model::Diagnosis& diagnosis) {
  const auto& record = *run.record;
  const auto slowest = slowest_pairs(record);
  const auto wires = wires_of(record);
  for (const auto& [interface, results] : wires) {
    const auto pair = slowest.find(interface);
    const auto limit =
        limit_of(record, interface, results, pair == slowest.end() ? PairPlace{} : pair->second);
    const double ring_gbit = 8 * rate(*limit.ring);
    if (limit.is_seen_by_pair()) {
      diagnosis.findings.push_back(limit_finding(
          run, limit,
          fmt::format("one TCP stream carries {:.3g} Gbit/s from {} to {}, {} carry {:.3g}",
                      *limit.slowest.pair->gbit_per_s, host_of(record, limit.slowest.pair->src),
                      host_of(record, limit.slowest.pair->dst), streams(*limit.ring), ring_gbit)));
    } else if (limit.is_seen_by_sweep()) {
      diagnosis.findings.push_back(limit_finding(
          run, limit,
          fmt::format("{} TCP streams a direction, as NCCL uses by itself, carry {:.3g} Gbit/s "
                      "over {}, {} carry {:.3g}",
                      streams(*limit.sweep.base), 8 * rate(*limit.sweep.base),
                      base::printable(interface), streams(*limit.ring), ring_gbit)));
    }
  }
  for (const auto& [interface, pair] : slowest) {
    // Its bytes took another path, or it failed: that is said elsewhere.
    const bool is_tried =
        std::any_of(record.results.begin(), record.results.end(), [&](const model::Result& result) {
          return result.variant == "wire" && result.interface.value_or("?") == interface &&
                 (result.status != model::Status::kOk || largest(result) != nullptr);
        });
    if (!is_tried) {
      diagnosis.unknown.push_back(fmt::format(
          "{}: whether one stream fills {}: no all-reduce of {} or more was measured over it",
          run.source, base::printable(interface), base::format_bytes(plan::kLargeAtLeast)));
    }
  }
}

}  // namespace ringwise::diagnose
