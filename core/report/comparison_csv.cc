#include "report/comparison_csv.h"

#include <array>
#include <string_view>

#include "report/csv_row.h"

namespace ringwise::report {
namespace {

using model::ComparedFact;
using model::ComparedRun;
using model::Comparison;

constexpr std::array<std::string_view, 19> kColumns{
    "kind",  "run",       "source",     "is_baseline", "probe", "variant", "quantity",
    "unit",  "row",       "bytes",      "streams",     "value", "low",     "high",
    "ratio", "ratio_low", "ratio_high", "against",     "text"};

CsvRow start(const char* kind, const ComparedRun& run) {
  CsvRow row;
  row.add(kind).add(run.name).add(run.source).add(run.is_baseline);
  return row;
}

std::string facts(const Comparison& comparison, const std::vector<ComparedFact>& all,
                  const char* kind) {
  std::string text;
  for (const auto& fact : all) {
    for (std::size_t run = 0; run < fact.cells.size(); ++run) {
      CsvRow row = start(kind, comparison.runs[run]);
      row.skip(4).add(fact.name).skip(5).add(fact.cells[run].ratio).skip(3);
      text += row.add(fact.cells[run].text).line();
    }
  }
  return text;
}

}  // namespace

std::string comparison_csv(const Comparison& comparison) {
  CsvRow header;
  for (const auto name : kColumns) header.add(name);
  std::string text = header.line();
  // First, so that who reads from the top meets them before the numbers.
  for (const auto& run : comparison.runs) {
    for (const auto& difference : run.differences) {
      CsvRow row = start("not-comparable", run);
      text += row.skip(14).add(difference).line();
    }
  }
  for (const auto& table : comparison.tables) {
    for (const auto& row : table.rows) {
      for (std::size_t run = 0; run < row.cells.size(); ++run) {
        const auto& cell = row.cells[run];
        CsvRow line = start("number", comparison.runs[run]);
        line.add(table.probe).add(table.variant).add(table.quantity).add(table.unit);
        line.add(row.label).add(row.bytes).add(row.streams);
        line.add(cell.value).add(cell.low).add(cell.high);
        line.add(cell.ratio).add(cell.ratio_low).add(cell.ratio_high);
        text += line.add(model::to_text(cell.against)).add(cell.reason).line();
      }
    }
  }
  text += facts(comparison, comparison.facts, "fact");
  text += facts(comparison, comparison.limits, "limit");
  for (std::size_t i = 0; i < comparison.costs.size(); ++i) {
    CsvRow row = start("cost", comparison.runs[i + 1]);
    text += row.skip(14).add(comparison.costs[i].text).line();
  }
  return text;
}

}  // namespace ringwise::report
