// The environment variables that NCCL reads, by version.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/nccl_version.h"

namespace ringwise::knowledge {

/// How NCCL turns the text into a value.
enum class Reading {
  kText,     ///< as a word, list or path
  kInteger,  ///< strtoll, base 0, no check: "abc" is 0, "4M" is 4
  kAtoi,     ///< the same in base 10
};

struct DefaultSince {
  NcclVersion since;
  std::string value;
};

struct NcclVariable {
  std::string name;
  std::string type;           ///< "int", "bool", "size", "list", "enum", "path", "string", ...
  std::string default_value;  ///< of the newest release that reads it, in words where needed
  std::string values;         ///< what it may be set to; may be empty
  std::string effect;         ///< one line
  std::string area;           ///< "socket", "ib", "p2p", ...; "deprecated" = do not set it any more
  std::string use;            ///< "safe", "tuning", "debug-only" or "dangerous"
  NcclVersion since;          ///< first release that reads it
  std::optional<NcclVersion> removed;  ///< first release that no longer does
  std::vector<DefaultSince> defaults;  ///< ascending; only where the default changed
  Reading reading = Reading::kText;
  std::string bad_value;              ///< what NCCL does with a value it cannot use; may be empty
  std::vector<std::string> see_also;  ///< other names for the same or a near thing
  bool is_same_on_all_ranks = false;  ///< ranks that differ hang or fail
  bool is_documented = false;
};

/// Whether NCCL `version` reads the variable.
[[nodiscard]] bool exists_in(const NcclVariable& variable, const NcclVersion& version);

/// The default that NCCL `version` uses; a view into `variable`.
[[nodiscard]] std::string_view default_in(const NcclVariable& variable, const NcclVersion& version);

class NcclVariables {
 public:
  /// Reads the data that is compiled in.
  [[nodiscard]] static NcclVariables load();

  /// Sorted by name.
  [[nodiscard]] std::span<const NcclVariable> all() const { return variables_; }
  /// Null when no release looked at (up to kNewestKnown) reads this name. Valid as long as this
  /// object.
  [[nodiscard]] const NcclVariable* find(std::string_view name) const;

 private:
  explicit NcclVariables(std::vector<NcclVariable> variables) : variables_(std::move(variables)) {}

  std::vector<NcclVariable> variables_;
};

}  // namespace ringwise::knowledge
