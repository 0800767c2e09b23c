// A comparison as text, Markdown and comma separated values.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "report/comparison_csv.h"
#include "report/comparison_md.h"
#include "report/comparison_text.h"

namespace ringwise::report {
namespace {

using model::Against;
using model::ComparedCell;
using testing::HasSubstr;
using testing::Not;

ComparedCell cell(double value, double ratio, Against against) {
  ComparedCell made{.value = value, .low = value * 0.99, .high = value * 1.01};
  made.against = against;
  if (against == Against::kBaseline) return made;
  made.ratio = ratio;
  made.ratio_low = ratio * 0.99;
  made.ratio_high = ratio * 1.01;
  return made;
}

/// Four modes: more than fit beside each other.
model::Comparison sample() {
  model::Comparison made;
  made.baseline = "host";
  for (const char* name : {"host", "overlay", "multus", "odd|name\x1b[2J"}) {
    made.runs.push_back({.name = name, .source = std::string(name) + ".json"});
    made.runs.back().ranks = 3;
    made.runs.back().nodes = 3;
  }
  made.runs[0].is_baseline = true;
  made.runs[3].differences = {"6 ranks instead of 3"};
  model::ComparedTable table{
      .probe = "tcp-allreduce", .variant = "wire", .quantity = "busbw", .unit = "GB/s"};
  table.rows.push_back({.label = "4 MiB", .bytes = 4 << 20});
  table.rows[0].cells = {cell(0.1194, 1, Against::kBaseline),
                         cell(0.1152, 0.965, Against::kWorse),
                         cell(0.1194, 1.0, Against::kWithinNoise),
                         {.reason = "not measured: =1+1"}};
  made.tables.push_back(table);
  model::ComparedFact mtu{.name = "path MTU"};
  for (const char* text : {"1500", "1450", "1500"}) mtu.cells.push_back({.text = text});
  mtu.cells.emplace_back();
  made.facts.push_back(mtu);
  model::ComparedFact shm{.name = "/dev/shm"};
  shm.cells = {{.text = "8 GiB"}, {.text = "64 MiB", .ratio = 1.0 / 128}, {}, {}};
  shm.cells[1].remedy = "mount an emptyDir";
  made.limits.push_back(shm);
  for (std::size_t i = 1; i < 4; ++i) made.costs.push_back({made.runs[i].name, "costs nothing."});
  return made;
}

TEST(ComparisonText, IsAsTheGoldenFile) {
  test::expect_golden("report/comparison.txt", comparison_text(sample()));
}

TEST(ComparisonText, FitsEightyColumns) {
  std::istringstream lines(comparison_text(sample()));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(ComparisonMd, IsAsTheGoldenFile) {
  test::expect_golden("report/comparison.md", comparison_md(sample()));
}

TEST(ComparisonMd, EscapesNames) {
  EXPECT_THAT(comparison_md(sample()), HasSubstr("odd\\|name"));
  EXPECT_THAT(comparison_md(sample()), Not(HasSubstr("\x1b")));
}

TEST(ComparisonCsv, GivesEveryRowAsManyCellsAsTheHeader) {
  const auto text = comparison_csv(sample());
  std::istringstream lines(text);
  std::string header;
  std::getline(lines, header);
  const auto commas = [](const std::string& line) {
    return std::count(line.begin(), line.end(), ',');
  };
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line); ++rows) {
    EXPECT_EQ(commas(line), commas(header)) << line;
  }
  EXPECT_EQ(rows, 4U + 4 + 4 + 3 + 1);
  EXPECT_THAT(text, HasSubstr("not-comparable,"));
  EXPECT_THAT(text, HasSubstr("6 ranks instead of 3"));
  EXPECT_THAT(text, HasSubstr(",0.965,"));
  EXPECT_THAT(text, HasSubstr(",worse,"));
}

TEST(ComparisonLegend, SaysHowTheRunsWereMeasured) {
  auto comparison = sample();
  EXPECT_THAT(legend(comparison), HasSubstr("The runs are separate"));
  comparison.is_interleaved = true;
  EXPECT_THAT(legend(comparison), HasSubstr("block by block"));
}

}  // namespace
}  // namespace ringwise::report
