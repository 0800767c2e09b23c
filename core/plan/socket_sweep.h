// Which of the measured helper threads and sockets of NCCL's socket transport are enough.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/record.h"
#include "plan/gain.h"
#include "plan/nccl_sockets.h"

namespace ringwise::plan {

/// A setting beside NCCL's default, measured in the same run.
struct SocketTrial {
  const model::Result* result = nullptr;
  Gain over_default;  ///< large_gain

  [[nodiscard]] int threads() const { return result->threads.value_or(0); }
  [[nodiscard]] int sockets() const { return result->sockets.value_or(1); }
  /// Of one connection; 0 = the control socket alone.
  [[nodiscard]] int data_sockets() const { return threads() * sockets(); }
  /// "1 thread x 2 sockets"
  [[nodiscard]] std::string text() const;
};

/// Settings that differ in nothing but threads and sockets. Points into the results it was made of.
struct SocketSweep {
  const model::Result* base = nullptr;  ///< NCCL's default; null when it was not measured
  std::vector<SocketTrial> others;
  int channels = 0;
  int unmatched = 0;  ///< settings without a large size in common with the default
};

/// The plan that all these interfaces have by themselves (`pci_vendor` as in socket_plan), absent
/// when they differ or there is none.
[[nodiscard]] std::optional<SocketPlan> agreed_socket_plan(
    std::span<const std::optional<std::string>> pci_vendors);

/// `results` are of one run, variant, path and settings set. Of several channel counts the one
/// that NCCL uses by itself (`preferred_channels`) if it was measured, else the lowest.
[[nodiscard]] SocketSweep socket_sweep(std::span<const model::Result* const> results,
                                       const SocketPlan& defaults, int preferred_channels);

/// The one that gains most over the default; null when there is no other.
[[nodiscard]] const SocketTrial* best_of(const SocketSweep& sweep);

/// The fewest data sockets, then threads, whose gain over the default is certain and worth a
/// setting (kLeastGain) and which is not behind the best; null when the default is as good.
[[nodiscard]] const SocketTrial* smallest_of_the_best(const SocketSweep& sweep);

}  // namespace ringwise::plan
