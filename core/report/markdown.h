// Pieces of Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwise::report {

/// Text from outside: no control characters, and nothing that Markdown or HTML acts on.
[[nodiscard]] std::string escaped(std::string_view text);

/// A table with right-aligned columns and an empty line behind it. Cells are Markdown already.
[[nodiscard]] std::string markdown_table(const std::vector<std::string>& titles,
                                         const std::vector<std::vector<std::string>>& rows);

}  // namespace ringwise::report
