// Every probe of ringwise-probe, in the order in which they run.
#pragma once

#include <span>
#include <string_view>

#include "probe/stage.h"

namespace ringwise::probe {

struct Probe {
  std::string_view name;
  std::string_view summary;  ///< one line for --list, --help and the docs
  bool is_default;           ///< measured when --probes is not given
  double weight;             ///< its share of the time budget, relative to the others
  /// When a worker fails, the others go on among themselves: the probe asks who is left
  /// (Communicator::gather_present). Else a failure ends the stage for all.
  bool survives_lost_ranks;
  /// Measures on this rank and adds to the report as it goes, so that what was measured before a
  /// failure stays. Collective. Results in the same order on every rank. Throws Error.
  void (*run)(StageContext&, model::StageReport&);
};

[[nodiscard]] std::span<const Probe> probes();
[[nodiscard]] const Probe* find_probe(std::string_view name);

}  // namespace ringwise::probe
