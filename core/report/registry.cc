#include "report/registry.h"

#include <algorithm>
#include <array>

#include "report/csv_renderer.h"
#include "report/json_renderer.h"
#include "report/md_renderer.h"
#include "report/text_renderer.h"

namespace ringwise::report {

std::span<const Renderer> renderers() {
  static constexpr std::array<Renderer, 4> kRows{{
      {"text", "txt", "for a person at a terminal, 80 columns", render_text},
      {"json", "json", "the record itself, in canonical form", render_json},
      {"md", "md", "Markdown tables, for issues and pages", render_md},
      {"csv", "csv", "one row a result and size, one row a pair", render_csv},
  }};
  return kRows;
}

const Renderer* find_renderer(std::string_view name) {
  const auto rows = renderers();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace ringwise::report
