// What is wrong, from evidence: findings. Their JSON is docs/formats.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ringwise::model {

/// From the least to the gravest.
enum class Severity { kInfo, kWarning, kError };

struct FindingEvidence {
  std::string file;
  std::optional<int> line = std::nullopt;  ///< from 1; absent in formats without lines
  std::string text;                        ///< the line, or the place in a record and its values
};

/// Something to change.
struct FindingSetting {
  std::string name;                                 ///< "NCCL_SOCKET_IFNAME", "mtu of eth0"
  std::optional<std::string> value = std::nullopt;  ///< absent = unset it
  std::string where;                                ///< "env", "pod", "host" or "fabric"
  /// What to run where the value is not known yet; `value` is absent then and says nothing.
  std::optional<std::string> measure = std::nullopt;
};

struct Finding {
  std::string cause;  ///< slug of knowledge::Causes
  Severity severity = Severity::kWarning;
  std::string title;  ///< one line with the place
  std::vector<FindingEvidence> evidence = {};
  std::vector<FindingSetting> settings = {};
  std::string why;
  double confidence = 1;  ///< 0 to 1
  std::string rule;       ///< name of the rule that found it
};

struct Diagnosis {
  std::vector<Finding> findings;      ///< the gravest first
  std::vector<std::string> problems;  ///< inputs that could not be read
  std::vector<std::string> unknown;   ///< what was not decided, and what to collect
};

[[nodiscard]] const char* to_text(Severity severity);

}  // namespace ringwise::model
