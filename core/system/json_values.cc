#include "system/json_values.h"

#include <limits>
#include <string_view>

#include "base/units.h"

namespace ringwise::system {

std::optional<std::string> text_of(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  const auto& text = found->get_ref<const std::string&>();
  if (text.empty()) return std::nullopt;
  return base::printable(std::string_view(text).substr(0, 256));
}

std::optional<std::int64_t> number_of(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  const auto value = found->get<std::int64_t>();
  if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::int64_t> positive_of(const nlohmann::json& object, const char* key) {
  const auto value = number_of(object, key);
  return value && *value > 0 ? value : std::nullopt;
}

}  // namespace ringwise::system
