// Which ringwise this is and which optional parts it was built with.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwise::app {

struct Feature {
  std::string_view name;  ///< as in -DRINGWISE_<name>=AUTO|ON|OFF
  bool is_built = false;
  std::string_view reason;  ///< "found", "not found" or "turned off"
  std::string_view help;    ///< what it brings
};

/// "0.1.0"
[[nodiscard]] std::string_view version();

/// Every optional part, in the order in which the build looks for them.
[[nodiscard]] std::span<const Feature> features();

/// Names of the parts that were built, in lower case: what stands in the record's `tool`.
[[nodiscard]] std::vector<std::string> feature_names();

/// What --version prints: "PROGRAM VERSION" and a line for each feature.
[[nodiscard]] std::string version_text(std::string_view program);

}  // namespace ringwise::app
