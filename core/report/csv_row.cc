#include "report/csv_row.h"

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::report {

std::string csv_cell(std::string_view text) {
  auto shown = base::printable(text);
  if (!shown.empty() && std::string_view("=+-@").find(shown.front()) != std::string_view::npos) {
    shown.insert(0, 1, '\'');
  }
  if (shown.find_first_of(",\"") == std::string::npos) return shown;
  std::string out = "\"";
  for (const char c : shown) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string csv_number(double value) {
  return fmt::format("{}", value);
}
std::string csv_number(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string csv_number(std::uint64_t value) {
  return fmt::format("{}", value);
}

}  // namespace ringwise::report
