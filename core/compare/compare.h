// Runs of the same nodes in different network modes, side by side.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/comparison.h"
#include "model/record.h"

namespace ringwise::compare {

/// A run record and where it came from.
struct InputRun {
  std::string source;
  const model::RunRecord* record = nullptr;
};

struct Options {
  /// Name of a mode or source of a run; absent: the bare node or hostNetwork where one is among
  /// them, else the first.
  std::optional<std::string> baseline;
  bool is_forced = false;  ///< compare although runs differ, and mark them
};

/// Differences below these shares are never called. Runs that are separate in time differ by more
/// than their own blocks tell, small operations most of all.
inline constexpr double kInterleavedFloor = 0.01;
inline constexpr double kSeparateFloor = 0.02;
inline constexpr double kSeparateLatencyFloor = 0.25;
/// Inside a host: one neighbour on the same memory takes half of it.
inline constexpr double kSeparateMemoryFloor = 0.5;

/// Throws Error(kUsage) when there is only one run with one interface, when the baseline is not
/// among them, and, unless forced, when runs cannot be compared: with every reason.
[[nodiscard]] model::Comparison compare(std::span<const InputRun> runs, const Options& options);

}  // namespace ringwise::compare
