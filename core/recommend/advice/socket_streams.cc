// NCCL_SOCKET_NTHREADS and NCCL_NSOCKS_PERTHREAD: only where a sweep measured a gain.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "knowledge/socket_facts.h"
#include "plan/nccl_sockets.h"
#include "plan/socket_sweep.h"
#include "recommend/advice/rows.h"
#include "recommend/measured_path.h"

namespace ringwise::recommend {
namespace {

constexpr const char* kThreads = "NCCL_SOCKET_NTHREADS";
constexpr const char* kSockets = "NCCL_NSOCKS_PERTHREAD";

using Advices = std::vector<model::Advice>;

Advices both(const std::function<model::Advice(const char* id, const char* name)>& make) {
  return {make("socket-nthreads", kThreads), make("nsocks-perthread", kSockets)};
}

Advices lacking(const std::string& reason) {
  return both(
      [&](const char* id, const char* name) { return not_enough(id, name, "env", reason); });
}

Advices leave(const std::string& reason, const std::string& key) {
  return both([&](const char* id, const char* name) {
    auto advice = unset(id, name, "env", reason);
    advice.evidence = {key};
    return advice;
  });
}

/// What NCCL uses by itself on the measured interfaces; empty when the hosts' NICs differ.
std::optional<plan::SocketPlan> default_plan(const Evidence& evidence, const MeasuredPath& path) {
  std::vector<std::optional<std::string>> vendors;
  for (const auto* host : evidence.hosts) {
    for (const auto& interface : host->interfaces) {
      const auto& used = path.by_host.at(host->host);
      if (std::find(used.begin(), used.end(), interface.name) == used.end()) continue;
      vendors.push_back(interface.pci_vendor);
    }
  }
  return plan::agreed_socket_plan(vendors);
}

/// The sweep of one run over the measured interface.
plan::SocketSweep sweep_in(const Evidence& evidence, std::size_t run, const MeasuredPath& path,
                           const plan::SocketPlan& defaults, int preferred_channels) {
  std::vector<const model::Result*> results;
  for (const auto* usable : untuned(evidence, "tcp-allreduce", "wire")) {
    const auto& result = *usable->result;
    if (usable->run == run && result.interface == path.best->result->interface &&
        result.family == path.best->result->family) {
      results.push_back(&result);
    }
  }
  return plan::socket_sweep(results, defaults, preferred_channels);
}

/// The run with the most settings beside the default: in whichever order the runs were given.
plan::SocketSweep sweep_of(const Evidence& evidence, const MeasuredPath& path,
                           const plan::SocketPlan& defaults, int preferred_channels) {
  std::set<std::size_t> runs;
  for (const auto& usable : evidence.results) runs.insert(usable.run);
  plan::SocketSweep most;
  for (const auto run : runs) {
    auto sweep = sweep_in(evidence, run, path, defaults, preferred_channels);
    if (most.base == nullptr || sweep.others.size() > most.others.size()) most = std::move(sweep);
  }
  return most;
}

const Usable& usable_of(const Evidence& evidence, const model::Result* result) {
  return *std::find_if(evidence.results.begin(), evidence.results.end(),
                       [&](const auto& usable) { return usable.result == result; });
}

Advices set(const Evidence& evidence, const plan::SocketSweep& sweep,
            const plan::SocketTrial& chosen, const plan::SocketPlan& defaults) {
  const auto& with = usable_of(evidence, chosen.result);
  const auto& without = usable_of(evidence, sweep.base);
  const auto reason = fmt::format(
      "{} moves {} of what NCCL's default ({} x {}) moves, both with {} channels: {} against {}; "
      "the smallest of the {} settings tried that is not behind the best; {} data sockets a "
      "connection (limit {})",
      chosen.text(), chosen.over_default.text(), defaults.threads, defaults.sockets_per_thread,
      sweep.channels, rate_text(with), rate_text(without), sweep.others.size() + 1,
      chosen.data_sockets(), knowledge::kMaxDataSockets);
  auto advices = both([&](const char* id, const char* name) {
    model::Advice advice;
    advice.id = id;
    advice.state = model::AdviceState::kPredicted;
    advice.name = name;
    advice.value = fmt::format("{}", name == kThreads ? chosen.threads() : chosen.sockets());
    advice.where = "env";
    advice.reason = reason;
    advice.nccl_versions = "all";
    advice.verify = fmt::format(
        "NCCL_DEBUG=INFO prints \"{} set by environment to {}.\", and ss -tn counts {} "
        "connections more for each channel and peer",
        name, *advice.value, chosen.data_sockets());
    advice.undo = fmt::format("unset {}", name);
    advice.cost = fmt::format(
        "up to {} more threads of a rank for each channel and peer; they "
        "compete for the pod's CPUs",
        chosen.threads());
    advice.factor = chosen.over_default.factor;
    advice.factor_low = chosen.over_default.low;
    advice.factor_high = chosen.over_default.high;
    advice.evidence = {with.key, without.key};
    return advice;
  });
  if (chosen.threads() == 0) {
    advices[1] =
        unset("nsocks-perthread", kSockets, "env", "without helper threads it has no effect");
  }
  return advices;
}

}  // namespace

Advices advise_socket_streams(const Evidence& evidence) {
  const auto found = measured_path(evidence);
  if (!found.path) return lacking(found.reason);
  if (evidence.nodes < 2) {
    return lacking("one host was measured, so no traffic between hosts");
  }
  const auto defaults = default_plan(evidence, *found.path);
  if (!defaults) {
    return lacking("the hosts' NICs have different defaults, and the receiving side decides");
  }
  const auto nics = found.path->by_host.begin()->second.size();
  const auto sweep =
      sweep_of(evidence, *found.path, *defaults, plan::channel_plan(nics, {}).channels);
  if (sweep.base == nullptr) {
    return lacking(
        fmt::format("NCCL's default ({} threads x {} sockets) was not measured usably; "
                    "run with --threads 0,1,2,4 --sockets 1,2,4",
                    defaults->threads, defaults->sockets_per_thread));
  }
  if (sweep.others.empty() && sweep.unmatched > 0) {
    return lacking(fmt::format(
        "{} setting{} beside NCCL's default, and no size of {} or more that both have: run again "
        "with a longer --time-budget, or without one",
        sweep.unmatched, sweep.unmatched == 1 ? " was measured" : "s were measured",
        base::format_bytes(plan::kLargeAtLeast)));
  }
  if (sweep.others.empty()) {
    return lacking(
        "not measured: run with --threads 0,1,2,4 --sockets 1,2,4 (sizes of 4 MiB and "
        "more)");
  }
  if (const auto* chosen = plan::smallest_of_the_best(sweep)) {
    return set(evidence, sweep, *chosen, *defaults);
  }
  const auto* best = plan::best_of(sweep);
  const auto& without = usable_of(evidence, sweep.base);
  return leave(
      fmt::format(
          "of {} setting{} tried none beats NCCL's default ({} x {}, {}) beyond its interval and "
          "{:.0f} %: the best, {}, gives {}",
          sweep.others.size(), sweep.others.size() == 1 ? "" : "s", defaults->threads,
          defaults->sockets_per_thread, rate_text(without), (plan::kLeastGain - 1) * 100,
          best->text(), best->over_default.text()),
      without.key);
}

}  // namespace ringwise::recommend
