#include "report/comparison_text.h"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "report/format.h"
#include "report/table.h"

namespace ringwise::report {
namespace {

using model::ComparedCell;
using model::ComparedFact;
using model::ComparedTable;
using model::Comparison;

/// Modes beside the baseline that fit 80 columns.
constexpr std::size_t kModesAtOnce = 2;

using Cells = std::vector<std::string>;

std::string name_of(const Comparison& comparison, std::size_t run) {
  return base::printable(comparison.runs[run].name);
}

/// The baseline and up to kModesAtOnce others, as positions in `runs`.
std::vector<std::vector<std::size_t>> chunks(const Comparison& comparison) {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t i = 1; i < comparison.runs.size(); i += kModesAtOnce) {
    std::vector<std::size_t> chunk{0};
    for (std::size_t j = i; j < std::min(i + kModesAtOnce, comparison.runs.size()); ++j) {
      chunk.push_back(j);
    }
    all.push_back(std::move(chunk));
  }
  return all;
}

std::string ratio_text(const ComparedCell& cell) {
  if (!cell.ratio) return "-";
  auto text = fmt::format("{:.3f}", *cell.ratio);
  if (cell.ratio_low && cell.ratio_high) {
    text += fmt::format(" {:.3f}-{:.3f}", *cell.ratio_low, *cell.ratio_high);
  }
  return text + " " + mark(cell.against);
}

std::string one_table(const Comparison& comparison, const ComparedTable& table,
                      std::span<const std::size_t> runs) {
  std::vector<Column> columns{{"size", Align::kRight}};
  for (const auto run : runs) {
    columns.push_back({name_of(comparison, run)});
    if (run != 0) columns.push_back({"ratio", Align::kLeft});
  }
  std::vector<Cells> rows;
  for (const auto& row : table.rows) {
    Cells cells{row.label};
    for (const auto run : runs) {
      const auto& cell = row.cells[run];
      cells.push_back(number(cell.value));
      if (run != 0) cells.push_back(ratio_text(cell));
    }
    rows.push_back(std::move(cells));
  }
  return text_table(columns, rows, 2);
}

/// Why cells are empty, each reason once.
std::string notes(const Comparison& comparison, const ComparedTable& table) {
  std::vector<std::string> lines;
  for (const auto& row : table.rows) {
    for (std::size_t run = 0; run < row.cells.size(); ++run) {
      const auto& reason = row.cells[run].reason;
      if (!reason) continue;
      auto line = fmt::format("{}, {}: {}", name_of(comparison, run), row.label, *reason);
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  }
  std::string text;
  for (const auto& line : lines) text += "    " + wrapped(line, 4, 6) + "\n";
  return text;
}

std::string facts(const Comparison& comparison, const std::vector<ComparedFact>& all,
                  std::string_view title) {
  if (all.empty()) return {};
  std::string text = fmt::format("\n{}\n", title);
  std::vector<std::string> remedies;
  for (const auto& chunk : chunks(comparison)) {
    std::vector<Column> columns{{"", Align::kLeft}};
    for (const auto run : chunk) columns.push_back({name_of(comparison, run), Align::kLeft});
    std::vector<Cells> rows;
    for (const auto& fact : all) {
      Cells cells{fact.name};
      for (const auto run : chunk) cells.push_back(fact.cells[run].text.value_or("-"));
      rows.push_back(std::move(cells));
    }
    text += text_table(columns, rows, 2);
  }
  for (const auto& fact : all) {
    for (std::size_t run = 0; run < fact.cells.size(); ++run) {
      const auto& remedy = fact.cells[run].remedy;
      if (!remedy) continue;
      text +=
          "  - " +
          wrapped(fmt::format("{}, {}: {}", name_of(comparison, run), fact.name, *remedy), 4, 4) +
          "\n";
    }
  }
  return text;
}

std::string header(const Comparison& comparison) {
  std::string text = fmt::format("ringwise compare, baseline {}\n", name_of(comparison, 0));
  for (const auto& run : comparison.runs) {
    text += fact(base::printable(run.source),
                 fmt::format("{}: {} on {}", base::printable(run.name),
                             count(static_cast<std::uint64_t>(std::max(0, run.ranks)), "rank"),
                             count(static_cast<std::uint64_t>(std::max(0, run.nodes)), "node")));
    for (const auto& difference : run.differences) {
      text += fact("", "NOT COMPARABLE: " + difference);
    }
  }
  return text;
}

}  // namespace

const char* mark(model::Against against) {
  switch (against) {
    case model::Against::kBaseline:
      return "";
    case model::Against::kBetter:
      return "+";
    case model::Against::kWorse:
      return "-";
    case model::Against::kWithinNoise:
      return "=";
    case model::Against::kUnknown:
      return "?";
  }
  return "?";
}

std::string title(const ComparedTable& table) {
  return fmt::format("{}{}{}, {} in {}, {} is better", base::printable(table.probe),
                     table.variant ? " " : "", base::printable(table.variant.value_or("")),
                     table.quantity, table.unit, table.is_more_better ? "more" : "less");
}

std::string legend(const Comparison& comparison) {
  return std::string(
             "Ratio to the baseline with its interval: + better, - worse, = within noise, ") +
         (comparison.is_interleaved
              ? "? too few blocks. The modes were measured in turn, block by block: 95 % "
                "intervals of paired blocks; differences below 1 % are not called."
              : "? too few blocks. The runs are separate: 99 % intervals; differences below 2 % "
                "are not called, below 25 % where latency rules (under 1 MiB), below 50 % for "
                "memory and shared memory.") +
         " A ratio of paired values is their median, not the ratio of the medians shown.";
}

std::string comparison_text(const Comparison& comparison) {
  std::string text = header(comparison) + "\nWhat it costs\n";
  for (const auto& cost : comparison.costs) {
    text += "  - " + wrapped(base::printable(cost.name) + " " + cost.text, 4, 4) + "\n";
  }
  for (const auto& table : comparison.tables) {
    text += "\n" + title(table) + "\n";
    for (const auto& chunk : chunks(comparison)) text += one_table(comparison, table, chunk);
    text += notes(comparison, table);
  }
  text += facts(comparison, comparison.facts, "Path");
  text += facts(comparison, comparison.limits, "Hosts and containers");
  return text + "\n" + wrapped(legend(comparison), 0, 0) + "\n";
}

}  // namespace ringwise::report
