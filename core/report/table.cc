#include "report/table.h"

#include <algorithm>

#include <fmt/format.h>

namespace ringwise::report {
namespace {

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded(std::string_view text, std::size_t width, Align align) {
  const auto have = display_width(text);
  const std::string blanks(width > have ? width - have : 0, ' ');
  return align == Align::kRight ? blanks + std::string(text) : std::string(text) + blanks;
}

}  // namespace

std::string text_table(const std::vector<Column>& columns,
                       const std::vector<std::vector<std::string>>& rows, std::size_t indent) {
  std::vector<std::size_t> widths;
  widths.reserve(columns.size());
  for (const auto& column : columns) widths.push_back(display_width(column.title));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string text;
  const auto add = [&](const auto& cell_of, std::size_t count) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) line += "  ";
      line += padded(cell_of(i), widths[i], columns[i].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add([&](std::size_t i) -> const std::string& { return columns[i].title; }, columns.size());
  for (const auto& row : rows) {
    add([&](std::size_t i) -> const std::string& { return row[i]; },
        std::min(row.size(), columns.size()));
  }
  return text;
}

std::string wrapped(std::string_view text, std::size_t used, std::size_t indent,
                    std::size_t width) {
  std::string out;
  std::size_t column = used;
  bool is_line_empty = true;
  while (!text.empty()) {
    const auto end = text.find(' ');
    const auto word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (word.empty()) continue;
    const auto length = display_width(word);
    if (!is_line_empty && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
      is_line_empty = true;
    }
    if (!is_line_empty) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    is_line_empty = false;
  }
  return out;
}

std::string fact(std::string_view name, std::string_view text, std::size_t indent,
                 std::size_t name_width) {
  const auto head = fmt::format("{:{}}{:<{}} ", "", indent, name, name_width);
  const auto column = std::max(head.size(), indent + name_width + 1);
  return head + wrapped(text, column, indent + name_width + 1) + "\n";
}

}  // namespace ringwise::report
