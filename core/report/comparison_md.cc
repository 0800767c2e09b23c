#include "report/comparison_md.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "report/comparison_text.h"
#include "report/format.h"
#include "report/markdown.h"

namespace ringwise::report {
namespace {

using model::ComparedFact;
using model::ComparedTable;
using model::Comparison;
using Cells = std::vector<std::string>;

Cells titles_of(const Comparison& comparison, const char* first) {
  Cells titles{first};
  for (const auto& run : comparison.runs) titles.push_back(escaped(run.name));
  return titles;
}

std::string table_of(const Comparison& comparison, const ComparedTable& table) {
  std::vector<Cells> rows;
  rows.reserve(table.rows.size());
  for (const auto& row : table.rows) {
    Cells cells{escaped(row.label)};
    for (const auto& cell : row.cells) {
      auto text = cell.value ? number(cell.value) : escaped(cell.reason.value_or("-"));
      if (cell.ratio) text += fmt::format(" ({:.3f}", *cell.ratio);
      if (cell.ratio && cell.ratio_low && cell.ratio_high) {
        text += fmt::format(", {:.3f} to {:.3f}", *cell.ratio_low, *cell.ratio_high);
      }
      if (cell.ratio) text += fmt::format(") {}", mark(cell.against));
      cells.push_back(std::move(text));
    }
    rows.push_back(std::move(cells));
  }
  return fmt::format("## {}\n\n", escaped(title(table))) +
         markdown_table(titles_of(comparison, "size"), rows);
}

std::string facts(const Comparison& comparison, const std::vector<ComparedFact>& all,
                  std::string_view title) {
  if (all.empty()) return {};
  std::vector<Cells> rows;
  std::string remedies;
  for (const auto& fact : all) {
    Cells cells{escaped(fact.name)};
    for (std::size_t run = 0; run < fact.cells.size(); ++run) {
      const auto& cell = fact.cells[run];
      cells.push_back(escaped(cell.text.value_or("-")));
      if (!cell.remedy) continue;
      remedies += fmt::format("- {}, {}: {}\n", escaped(comparison.runs[run].name),
                              escaped(fact.name), escaped(*cell.remedy));
    }
    rows.push_back(std::move(cells));
  }
  return fmt::format("## {}\n\n", title) + markdown_table(titles_of(comparison, ""), rows) +
         (remedies.empty() ? "" : remedies + "\n");
}

}  // namespace

std::string comparison_md(const Comparison& comparison) {
  std::string text =
      fmt::format("# ringwise compare, baseline {}\n\n", escaped(comparison.baseline));
  for (const auto& run : comparison.runs) {
    text += fmt::format("- {}: {}\n", escaped(run.name), escaped(run.source));
    for (const auto& difference : run.differences) {
      text += fmt::format("  - **not comparable**: {}\n", escaped(difference));
    }
  }
  text += "\n## What it costs\n\n";
  for (const auto& cost : comparison.costs) {
    text += fmt::format("- {} {}\n", escaped(cost.name), escaped(cost.text));
  }
  text += "\n";
  for (const auto& table : comparison.tables) text += table_of(comparison, table);
  text += facts(comparison, comparison.facts, "Path");
  text += facts(comparison, comparison.limits, "Hosts and containers");
  return text + escaped(legend(comparison)) + "\n";
}

}  // namespace ringwise::report
