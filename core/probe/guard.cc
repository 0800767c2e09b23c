#include "probe/guard.h"

#include <sys/resource.h>

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "probe/run_one.h"
#include "system/cgroup.h"
#include "system/counters.h"

namespace ringwise::probe {
namespace {

constexpr std::chrono::seconds kWatch{1};
/// Enough for a queue of a megabyte on a link of 10 Mbit/s.
constexpr std::chrono::seconds kDrain{1};
constexpr std::chrono::seconds kAgree{10};

std::uint64_t value_of(const model::CounterValues& counters, const char* key) {
  const auto found = counters.find(key);
  return found == counters.end() ? 0 : found->second;
}

std::uint64_t growth(const model::CounterValues& before, const model::CounterValues& after,
                     const char* key) {
  const auto from = value_of(before, key);
  const auto to = value_of(after, key);
  return to > from ? to - from : 0;
}

double cpu_seconds() {
  rusage usage{};
  base::check_rc(::getrusage(RUSAGE_SELF, &usage), "getrusage");
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

model::PathProof judge_path(const Endpoint& endpoint, const Payload& payload,
                            const model::CounterValues& before, const model::CounterValues& after) {
  if (before.empty() || after.empty()) {
    return {model::ProofState::kUnavailable,
            fmt::format("the counters of {} cannot be read", endpoint.interface)};
  }
  std::uint64_t must_send = payload.sent_to_other_hosts;
  std::uint64_t must_receive = payload.received_from_other_hosts;
  if (endpoint.is_loopback) {
    must_send += payload.within_host;
    must_receive += payload.within_host;
  } else if (must_send == 0 && must_receive == 0) {
    const auto* why = payload.within_host > 0 ? "the kernel carries those within a host over lo"
                                              : "the measured sizes are too small for its channels";
    return {model::ProofState::kUnavailable,
            fmt::format("no bytes between hosts on {}: {}", endpoint.interface, why)};
  }
  const auto sent = growth(before, after, "tx_bytes");
  const auto received = growth(before, after, "rx_bytes");
  const bool is_proved = sent >= must_send && received >= must_receive;
  const auto reason =
      fmt::format("{} counted {} bytes sent and {} received; the payload was {} and {}",
                  endpoint.interface, sent, received, must_send, must_receive);
  return {is_proved ? model::ProofState::kProved : model::ProofState::kContradicted, reason};
}

std::optional<std::string> find_carrier(const Endpoint& endpoint, const Payload& payload,
                                        std::span<const system::InterfaceCounters> before,
                                        std::span<const system::InterfaceCounters> after) {
  struct Growth {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
  };
  std::map<std::string, Growth> grew;
  for (const auto& now : after) {
    const auto then = std::ranges::find(before, now.name, &system::InterfaceCounters::name);
    if (then == before.end()) continue;
    grew[now.name] = {growth(then->values, now.values, "tx_bytes"),
                      growth(then->values, now.values, "rx_bytes")};
  }
  const auto own = grew[endpoint.interface];
  const auto carries = [](std::uint64_t its, std::uint64_t own_growth, std::uint64_t wanted) {
    return own_growth >= wanted || its >= wanted;
  };
  std::optional<std::string> found;
  for (const auto& [name, growth] : grew) {
    if (name == endpoint.interface ||
        !carries(growth.sent, own.sent, payload.sent_to_other_hosts) ||
        !carries(growth.received, own.received, payload.received_from_other_hosts)) {
      continue;
    }
    const auto total = growth.sent + growth.received;
    if (!found || total < grew[*found].sent + grew[*found].received) found = name;
  }
  return found;
}

StageGuard::StageGuard(StageContext& context, const std::vector<Target>& targets)
    : context_(context) {
  for (const auto& target : targets) {
    for (const auto& endpoint : target.endpoints) {
      endpoints_.emplace(endpoint.interface, endpoint);
      context_.ends.push_back({endpoint.interface, endpoint.address});
    }
  }
  context_.step("watch the counters for background traffic");
  watch_background();
  const double worst =
      context_.comm.max(background_share_.value_or(0), base::Deadline::after(kAgree));
  if (worst > kBackgroundRefused && !context_.spec.on_busy_fabric) {
    throw Error(ErrorKind::kRefused,
                fmt::format("other traffic takes {:.0f} % of a link; measuring now would disturb "
                            "it and read too low (--on-busy-fabric measures all the same)",
                            worst * 100));
  }
  throttled_before_us_ = system::read_throttled_us(system::SysRoot{});
  cpu_before_s_ = cpu_seconds();
  for (const auto& [name, endpoint] : endpoints_) {
    before_[name] = system::read_interface_counters(name).value_or(model::CounterValues{});
  }
  all_before_ = system::read_interface_counters();
}

void StageGuard::watch_background() {
  std::map<std::string, model::CounterValues> start;
  for (const auto& [name, endpoint] : endpoints_) {
    start[name] = system::read_interface_counters(name).value_or(model::CounterValues{});
  }
  const auto begin = base::Clock::now();
  std::this_thread::sleep_for(kWatch);
  const double seconds = base::to_seconds(base::Clock::now() - begin);
  for (const auto& [name, endpoint] : endpoints_) {
    const auto now = system::read_interface_counters(name).value_or(model::CounterValues{});
    if (now.empty()) continue;
    // A full-duplex link: the busier direction counts.
    const auto bytes =
        std::max(growth(start[name], now, "rx_bytes"), growth(start[name], now, "tx_bytes"));
    const double rate = static_cast<double>(bytes) / seconds;
    background_bytes_per_s_ = std::max(background_bytes_per_s_.value_or(0), rate);
    if (endpoint.speed_mbit_per_s.value_or(0) > 0 && !endpoint.is_loopback) {
      const double link = static_cast<double>(*endpoint.speed_mbit_per_s) * 1e6 / 8;
      background_share_ = std::max(background_share_.value_or(0), rate / link);
    }
  }
}

void StageGuard::finish(model::StageReport& report,
                        const std::map<std::string, Payload>& payload) const {
  std::map<std::string, model::PathProof> proofs;
  for (const auto& [name, endpoint] : endpoints_) {
    const auto used = payload.find(name);
    const Payload bytes = used == payload.end() ? Payload{} : used->second;
    // What was sent last may still stand in the queues of this host.
    const auto patience = base::Deadline::after(kDrain);
    auto after = system::read_interface_counters(name).value_or(model::CounterValues{});
    proofs[name] = judge_path(endpoint, bytes, before_.at(name), after);
    while (proofs[name].state == model::ProofState::kContradicted && !patience.has_passed()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      after = system::read_interface_counters(name).value_or(model::CounterValues{});
      proofs[name] = judge_path(endpoint, bytes, before_.at(name), after);
    }
    if (proofs[name].state == model::ProofState::kContradicted) {
      proofs[name].carried_by =
          find_carrier(endpoint, bytes, all_before_, system::read_interface_counters());
      if (proofs[name].carried_by)
        proofs[name].reason += "; " + *proofs[name].carried_by + " carried it";
      Failure failure{"its bytes took another path: " + proofs[name].reason, {}};
      failure.place.interface = name;
      failure.place.step = "compare the counters";
      failure.place.sign = "wrong-path";
      report.problems.push_back(problem_of(context_.spec, failure));
    }
    model::Counter row;
    row.host = context_.spec.hosts.at(static_cast<std::size_t>(context_.spec.rank));
    row.probe = context_.spec.probe;
    row.rank = context_.spec.rank;
    row.interface = name;
    row.before = before_.at(name);
    row.after = after;
    row.expected_bytes = bytes.sent_to_other_hosts;
    report.counters.push_back(std::move(row));
  }
  std::optional<std::uint64_t> throttled_us;
  const auto throttled_now_us = system::read_throttled_us(system::SysRoot{});
  if (throttled_now_us && throttled_before_us_) {
    throttled_us = *throttled_now_us - std::min(*throttled_now_us, *throttled_before_us_);
  }
  for (auto& result : report.results) {
    if (!result.interface) continue;
    result.background_bytes_per_s = background_bytes_per_s_;
    result.background_share = background_share_;
    result.cpu_throttled_us = throttled_us;
    if (!result.cpu_seconds) result.cpu_seconds = cpu_seconds() - cpu_before_s_;
    bool is_first = true;
    for (const auto& name : base::split(*result.interface, ',')) {
      const auto proof = proofs.find(name);
      if (proof == proofs.end()) continue;
      const bool is_worse = proof->second.state == model::ProofState::kContradicted ||
                            (proof->second.state == model::ProofState::kUnavailable &&
                             result.path_proof.state == model::ProofState::kProved);
      if (is_first || is_worse) result.path_proof = proof->second;
      is_first = false;
    }
  }
}

}  // namespace ringwise::probe
