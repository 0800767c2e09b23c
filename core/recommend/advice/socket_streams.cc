// NCCL_SOCKET_NTHREADS and NCCL_NSOCKS_PERTHREAD: only where a sweep measured a gain.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "knowledge/socket_facts.h"
#include "plan/nccl_sockets.h"
#include "recommend/advice/rows.h"
#include "recommend/gain.h"
#include "recommend/measured_path.h"

namespace ringwise::recommend {
namespace {

constexpr const char* kThreads = "NCCL_SOCKET_NTHREADS";
constexpr const char* kSockets = "NCCL_NSOCKS_PERTHREAD";
constexpr std::uint64_t kFrom = std::uint64_t{4} << 20;

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
  std::optional<plan::SocketPlan> agreed;
  for (const auto* host : evidence.hosts) {
    for (const auto& interface : host->interfaces) {
      const auto& used = path.by_host.at(host->host);
      if (std::find(used.begin(), used.end(), interface.name) == used.end()) continue;
      auto found = plan::socket_plan(interface.pci_vendor, {});
      if (agreed && !(agreed->threads == found.threads &&
                      agreed->sockets_per_thread == found.sockets_per_thread)) {
        return std::nullopt;
      }
      agreed = std::move(found);
    }
  }
  return agreed;
}

struct Candidate {
  const Usable* usable = nullptr;
  Gain over_default;

  [[nodiscard]] int threads() const { return usable->result->threads.value_or(0); }
  [[nodiscard]] int sockets() const { return usable->result->sockets.value_or(1); }
  [[nodiscard]] std::string text() const {
    return threads() == 0
               ? "no helper thread"
               : fmt::format("{} thread{} x {} socket{}", threads(), threads() == 1 ? "" : "s",
                             sockets(), sockets() == 1 ? "" : "s");
  }
};

bool is_default(const model::Result& result, const plan::SocketPlan& defaults) {
  if (result.threads.value_or(-1) != defaults.threads) return false;
  return defaults.threads == 0 || result.sockets.value_or(-1) == defaults.sockets_per_thread;
}

/// The sweep of one channel count over the measured interface: the default, and the rest.
struct Sweep {
  const Usable* base = nullptr;
  std::vector<Candidate> others;
  int channels = 0;
};

/// Of several channel counts, NCCL's own (`preferred`) if it was measured, else the lowest.
Sweep sweep_in(const Evidence& evidence, std::size_t run, const MeasuredPath& path,
               const plan::SocketPlan& defaults, int preferred) {
  std::vector<const Usable*> results;
  for (const auto* usable : untuned(evidence, "tcp-allreduce", "wire")) {
    const auto& result = *usable->result;
    if (usable->run == run && result.interface == path.best->result->interface &&
        result.family == path.best->result->family && result.channels) {
      results.push_back(usable);
    }
  }
  Sweep sweep;
  for (const auto* usable : results) {
    const int channels = *usable->result->channels;
    if (!is_default(*usable->result, defaults)) continue;
    const bool is_better = sweep.base == nullptr || channels == preferred ||
                           (sweep.channels != preferred && channels < sweep.channels);
    if (!is_better) continue;
    sweep.base = usable;
    sweep.channels = channels;
  }
  if (sweep.base == nullptr) return sweep;
  for (const auto* usable : results) {
    if (usable == sweep.base || *usable->result->channels != sweep.channels) continue;
    if (const auto found = gain(*usable->result, *sweep.base->result, kFrom)) {
      sweep.others.push_back({.usable = usable, .over_default = *found});
    }
  }
  return sweep;
}

/// The run with the most settings beside the default: in whichever order the runs were given.
Sweep sweep_of(const Evidence& evidence, const MeasuredPath& path, const plan::SocketPlan& defaults,
               int preferred) {
  std::set<std::size_t> runs;
  for (const auto& usable : evidence.results) runs.insert(usable.run);
  Sweep most;
  for (const auto run : runs) {
    auto sweep = sweep_in(evidence, run, path, defaults, preferred);
    if (most.base == nullptr || sweep.others.size() > most.others.size()) most = std::move(sweep);
  }
  return most;
}

int data_sockets(const Candidate& candidate) {
  return candidate.threads() * candidate.sockets();
}

/// Of what is certain, a difference below this inside one run is not worth a larger setting.
constexpr double kNoise = 1.01;

/// Held against the best block by block: a default that varies must not hide what is lost.
bool is_behind(const Candidate& one, const Candidate& best) {
  if (&one == &best) return false;
  const auto behind = gain(*best.usable->result, *one.usable->result, kFrom);
  if (!behind) return one.over_default.high < best.over_default.low;
  return behind->low > kNoise || behind->factor >= kLeastGain;
}

/// The smallest setting whose gain is certain, large enough, and not behind the best's.
const Candidate* smallest_of_the_best(const Sweep& sweep) {
  const auto best = std::max_element(
      sweep.others.begin(), sweep.others.end(),
      [](const auto& a, const auto& b) { return a.over_default.factor < b.over_default.factor; });
  const Candidate* chosen = nullptr;
  for (const auto& one : sweep.others) {
    const auto& over = one.over_default;
    if (!over.is_faster() || over.factor < kLeastGain || is_behind(one, *best) ||
        data_sockets(one) > knowledge::kMaxDataSockets) {
      continue;
    }
    const auto cost = [](const Candidate& c) { return std::pair(data_sockets(c), c.threads()); };
    if (chosen == nullptr || cost(one) < cost(*chosen)) chosen = &one;
  }
  return chosen;
}

Advices set(const Sweep& sweep, const Candidate& chosen, const plan::SocketPlan& defaults) {
  const auto reason = fmt::format(
      "{} moves {} of what NCCL's default ({} x {}) moves, both with {} channels: {} against {}; "
      "the smallest of the {} settings tried that is not behind the best; {} data sockets a "
      "connection (limit {})",
      chosen.text(), chosen.over_default.text(), defaults.threads, defaults.sockets_per_thread,
      sweep.channels, rate_text(*chosen.usable), rate_text(*sweep.base), sweep.others.size() + 1,
      data_sockets(chosen), knowledge::kMaxDataSockets);
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
        name, *advice.value, data_sockets(chosen));
    advice.undo = fmt::format("unset {}", name);
    advice.cost = fmt::format(
        "up to {} more threads of a rank for each channel and peer; they "
        "compete for the pod's CPUs",
        chosen.threads());
    advice.factor = chosen.over_default.factor;
    advice.factor_low = chosen.over_default.low;
    advice.factor_high = chosen.over_default.high;
    advice.evidence = {chosen.usable->key, sweep.base->key};
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
  if (sweep.others.empty()) {
    return lacking(
        "not measured: run with --threads 0,1,2,4 --sockets 1,2,4 (sizes of 4 MiB and "
        "more)");
  }
  if (const auto* chosen = smallest_of_the_best(sweep)) return set(sweep, *chosen, *defaults);
  const auto best = std::max_element(
      sweep.others.begin(), sweep.others.end(),
      [](const auto& a, const auto& b) { return a.over_default.factor < b.over_default.factor; });
  return leave(
      fmt::format(
          "of {} setting{} tried none beats NCCL's default ({} x {}, {}) beyond its interval and "
          "{:.0f} %: the best, {}, gives {}",
          sweep.others.size(), sweep.others.size() == 1 ? "" : "s", defaults->threads,
          defaults->sockets_per_thread, rate_text(*sweep.base), (kLeastGain - 1) * 100,
          best->text(), best->over_default.text()),
      sweep.base->key);
}

}  // namespace ringwise::recommend
