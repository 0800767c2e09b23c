#include <array>

#include "app/commands/command.h"
#include "app/commands/report.h"

namespace ringwise::app {

std::span<const Command> commands() {
  static constexpr std::array<Command, 1> kRows{{
      {"report", "What a run measured: text, json, md or csv", run_report},
  }};
  return kRows;
}

}  // namespace ringwise::app
