#include "app/exit_code.h"

#include <array>

#include <fmt/format.h>

namespace ringwise::app {

std::span<const ExitCodeRow> exit_codes() {
  static constexpr std::array<ExitCodeRow, 7> kRows{{
      {ExitCode::kOk, "pass, or nothing found"},
      {ExitCode::kFindings, "a gate failed, or something was found"},
      {ExitCode::kUsage, "wrong usage, or input that cannot be read"},
      {ExitCode::kNotMeasured, "could not measure: launch failed, record incomplete, time-out"},
      {ExitCode::kRefused, "refused by a limit or policy (permission, memlock, Pod Security)"},
      {ExitCode::kInconclusive, "inconclusive: too noisy, or too few samples"},
      {ExitCode::kSkipped, "skipped: nothing to do on this machine"},
  }};
  return kRows;
}

std::string exit_codes_help() {
  std::string text = "Exit codes:\n";
  for (const auto& row : exit_codes()) {
    text += fmt::format("  {:<3} {}\n", static_cast<int>(row.code), row.meaning);
  }
  return text;
}

ExitCode exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return ExitCode::kUsage;
    case ErrorKind::kRefused:
      return ExitCode::kRefused;
    case ErrorKind::kUnavailable:
    case ErrorKind::kTimeout:
    case ErrorKind::kPeer:
    case ErrorKind::kSystem:
    case ErrorKind::kInternal:
      return ExitCode::kNotMeasured;
  }
  return ExitCode::kNotMeasured;
}

}  // namespace ringwise::app
