#include "app/version.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/version_config.h"

namespace ringwise::app {

std::string_view version() {
  return config::kVersion;
}

std::span<const Feature> features() {
  return config::kFeatures;
}

std::vector<std::string> feature_names() {
  std::vector<std::string> names;
  for (const auto& feature : features()) {
    if (!feature.is_built) continue;
    std::string name(feature.name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    names.push_back(name);
  }
  return names;
}

std::string version_text(std::string_view program) {
  std::string text = fmt::format("{} {}\n", program, version());
  for (const auto& feature : features()) {
    text += fmt::format("  {:<8} {:<3} {} ({})\n", feature.name, feature.is_built ? "yes" : "no",
                        feature.help, feature.reason);
  }
  return text;
}

}  // namespace ringwise::app
