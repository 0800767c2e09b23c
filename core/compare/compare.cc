#include "compare/compare.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "compare/columns.h"
#include "compare/costs.h"
#include "compare/facts.h"
#include "compare/tables.h"

namespace ringwise::compare {
namespace {

/// Name and source, once where the name already holds the source.
std::string named(const Column& column) {
  const auto& run = column.run;
  const bool has_source = run.name.find(run.source) != std::string::npos;
  return base::printable(has_source ? run.name : fmt::format("{} ({})", run.name, run.source));
}

[[noreturn]] void refuse(const std::vector<Column>& columns) {
  std::string text =
      fmt::format("cannot be compared with {}, unless with --force:", named(columns[0]));
  const char* separator = " ";
  for (const auto& column : columns) {
    for (const auto& reason : column.run.differences) {
      text += fmt::format("{}{}: {}", separator, named(column), reason);
      separator = "; ";
    }
  }
  throw Error(ErrorKind::kUsage, text);
}

}  // namespace

model::Comparison compare(std::span<const InputRun> runs, const Options& options) {
  auto columns = columns_of(runs, options);
  if (columns.size() < 2) {
    throw Error(ErrorKind::kUsage,
                "a comparison needs two runs, or one run of several interfaces "
                "(ringwise-probe --each-interface)");
  }
  bool is_different = false;
  for (std::size_t i = 1; i < columns.size(); ++i) {
    columns[i].run.differences = differences(columns[0], columns[i]);
    is_different = is_different || !columns[i].run.differences.empty();
  }
  if (is_different && !options.is_forced) refuse(columns);
  model::Comparison comparison;
  comparison.baseline = columns[0].run.name;
  comparison.is_interleaved =
      std::all_of(columns.begin(), columns.end(),
                  [&](const Column& column) { return column.record == columns[0].record; });
  for (const auto& column : columns) comparison.runs.push_back(column.run);
  comparison.tables = tables_of(columns);
  comparison.facts = path_facts(columns);
  comparison.limits = limit_facts(columns);
  comparison.costs = costs_of(columns, comparison.tables);
  return comparison;
}

}  // namespace ringwise::compare
