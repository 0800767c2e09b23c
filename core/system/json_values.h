// Single values out of JSON text from outside. Private to core/system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace ringwise::system {

/// A text member, safe to print, at most 256 bytes. Absent when it is missing, empty or no text,
/// or `object` is no object.
[[nodiscard]] std::optional<std::string> text_of(const nlohmann::json& object, const char* key);

/// A whole number member that fits an int; absent for anything else.
[[nodiscard]] std::optional<std::int64_t> number_of(const nlohmann::json& object, const char* key);

/// The same, above 0.
[[nodiscard]] std::optional<std::int64_t> positive_of(const nlohmann::json& object,
                                                      const char* key);

}  // namespace ringwise::system
