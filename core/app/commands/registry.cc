#include <array>

#include "app/commands/command.h"
#include "app/commands/compare.h"
#include "app/commands/explain.h"
#include "app/commands/recommend.h"
#include "app/commands/report.h"
#include "app/commands/system.h"

namespace ringwise::app {

std::span<const Command> commands() {
  static constexpr std::array<Command, 5> kRows{{
      {"system", "What this host or pod has", run_system},
      {"report", "What a run measured: text, json, md or csv", run_report},
      {"compare", "Network modes side by side: what each costs, and why", run_compare},
      {"explain", "What is wrong in run records, with evidence and cure", run_explain},
      {"recommend", "NCCL settings and a pod spec from runs, with reasons", run_recommend},
  }};
  return kRows;
}

}  // namespace ringwise::app
