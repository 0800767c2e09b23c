// What stands around every measurement over a network interface: is the fabric quiet, did the bytes
// take this path, was the CPU throttled.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/record.h"
#include "probe/stage.h"
#include "probe/targets.h"
#include "system/counters.h"

namespace ringwise::probe {

/// Payload of this rank over one interface, between hosts and inside its own host (which the
/// kernel carries over lo, whatever the interface).
struct Payload {
  std::uint64_t sent_to_other_hosts = 0;
  std::uint64_t received_from_other_hosts = 0;
  std::uint64_t within_host = 0;
};

/// Shares of the link rate. source: design.md section 7
inline constexpr double kBackgroundNoted = 0.02;
inline constexpr double kBackgroundRefused = 0.20;

class StageGuard {
 public:
  /// Watches the interfaces for a second and then notes their counters. Throws Error(kRefused) on
  /// every rank when other traffic takes more than kBackgroundRefused of a link whose rate is
  /// known, unless spec.on_busy_fabric. Collective.
  StageGuard(StageContext& context, const std::vector<Target>& targets);

  /// Fills path proof, background, throttling and CPU time of every result of the report that
  /// names an interface, and adds the counter rows. `payload` is by interface name.
  void finish(model::StageReport& report, const std::map<std::string, Payload>& payload) const;

 private:
  void watch_background();

  StageContext& context_;
  std::map<std::string, Endpoint> endpoints_;
  std::map<std::string, model::CounterValues> before_;
  std::vector<system::InterfaceCounters> all_before_;  ///< of every interface, measured or not
  std::optional<double> background_bytes_per_s_;
  std::optional<double> background_share_;
  std::optional<std::uint64_t> throttled_before_us_;
  double cpu_before_s_ = 0;
};

/// The judgement behind path_proof, pure: did the counters grow by at least the payload?
[[nodiscard]] model::PathProof judge_path(const Endpoint& endpoint, const Payload& payload,
                                          const model::CounterValues& before,
                                          const model::CounterValues& after);

/// Pure: the interface other than `endpoint` whose counters grew by what those of `endpoint` lack;
/// of several (a tunnel and the device below it) the one that grew least. Absent when there is
/// none.
[[nodiscard]] std::optional<std::string> find_carrier(
    const Endpoint& endpoint, const Payload& payload,
    std::span<const system::InterfaceCounters> before,
    std::span<const system::InterfaceCounters> after);

}  // namespace ringwise::probe
