#include "report/markdown.h"

#include "base/units.h"

namespace ringwise::report {

using Cells = std::vector<std::string>;

std::string escaped(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_{}[]<>()#+-.!|~&$:@";
  // Inside words these are harmless, and escaping them would spoil names such as node-1.
  constexpr std::string_view kHarmless = "-.:+#!()@$";
  std::string out;
  for (const char c : base::printable(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      const bool is_special = kSpecial.find(c) != std::string_view::npos;
      if (is_special && kHarmless.find(c) == std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string markdown_table(const Cells& titles, const std::vector<Cells>& rows) {
  const auto line = [](const Cells& cells) { return "| " + base::join(cells, " | ") + " |\n"; };
  std::string text = line(titles) + line(Cells(titles.size(), "---:"));
  for (const auto& row : rows) text += line(row);
  return text + "\n";
}

}  // namespace ringwise::report
