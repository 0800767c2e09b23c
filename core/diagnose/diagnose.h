// Rules that turn evidence into findings. Pure: no clock, no files.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/finding.h"
#include "model/record.h"

namespace ringwise::diagnose {

/// A run record and where it came from.
struct InputRun {
  std::string source;
  const model::RunRecord* record = nullptr;
  std::span<const InputRun> others = {};  ///< all runs that are judged together, this one too
};

/// One rule. It adds what it finds, or says in `unknown` which input it lacks.
struct Rule {
  std::string_view name;  ///< Finding::rule
  std::string_view help;  ///< one line
  void (*apply)(const InputRun& run, model::Diagnosis& diagnosis);
};

/// In the order in which they are tried.
[[nodiscard]] std::span<const Rule> rules();

/// Something was measured that rules can judge; facts of hosts alone are not.
[[nodiscard]] bool has_measurements(const model::RunRecord& record);

/// All rules over all runs; the gravest findings first, then the most certain.
[[nodiscard]] model::Diagnosis diagnose(std::span<const InputRun> runs);

}  // namespace ringwise::diagnose
