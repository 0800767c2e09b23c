#include "report/csv_row.h"

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

}  // namespace ringwise::report
