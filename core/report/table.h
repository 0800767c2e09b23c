// Tables and paragraphs of plain text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ringwise::report {

enum class Align { kLeft, kRight };

struct Column {
  std::string title;
  Align align = Align::kRight;
};

/// Columns as wide as their widest cell, two blanks between, `indent` blanks before each row, no
/// blanks at line ends. Rows may be shorter than `columns`. Widths count UTF-8 code points.
[[nodiscard]] std::string text_table(const std::vector<Column>& columns,
                                     const std::vector<std::vector<std::string>>& rows,
                                     std::size_t indent);

/// `text` broken at blanks so that lines fit `width`; each line after the first begins with
/// `indent` blanks. The first line has already used `used` columns. Longer words are not cut.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t used, std::size_t indent,
                                  std::size_t width = 80);

/// "  name      text text text\n" with `text` wrapped behind the name: a row of a list of facts.
[[nodiscard]] std::string fact(std::string_view name, std::string_view text, std::size_t indent = 2,
                               std::size_t name_width = 10);

}  // namespace ringwise::report
