// Tests of the renderers on whole records.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>

#include "golden.h"
#include "model/json.h"
#include "report/registry.h"
#include "sample_record.h"

namespace ringwise::report::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string render(const std::string& format, const model::RunRecord& record,
                   RenderOptions options = {}) {
  const std::vector<NamedRecord> records{{.name = "run.json", .record = record}};
  return find_renderer(format)->render(records, options);
}

TEST(Renderers, GiveTheGoldenTextOfACompleteRun) {
  for (const auto& row : renderers()) {
    if (row.name == "json") continue;
    expect_golden("report/complete." + std::string(row.extension),
                  render(std::string(row.name), sample_record()));
  }
}

TEST(Renderers, GiveTheGoldenTextOfABrokenRun) {
  for (const auto& row : renderers()) {
    if (row.name == "json") continue;
    expect_golden("report/broken." + std::string(row.extension),
                  render(std::string(row.name), broken_record()));
  }
}

TEST(Renderers, HaveUniqueNamesAndHelp) {
  for (const auto& row : renderers()) {
    EXPECT_EQ(find_renderer(row.name), &row);
    EXPECT_FALSE(row.help.empty());
  }
  EXPECT_EQ(find_renderer("html5"), nullptr);
}

TEST(TextRenderer, FitsEightyColumns) {
  for (const auto& record : {sample_record(), broken_record()}) {
    std::istringstream lines(render("text", record));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(TextRenderer, ShowsProblemsBeforeResults) {
  const auto text = render("text", broken_record());
  EXPECT_LT(text.find("Problems (3)"), text.find("tcp-allreduce wire: ok"));
  EXPECT_THAT(text, HasSubstr("NOT COMPLETE"));
  EXPECT_THAT(text, HasSubstr("2 of 3 ranks were asked for"));
}

TEST(TextRenderer, NeverShowsAnUnmeasuredNumberAsZero) {
  const auto text = render("text", broken_record());
  EXPECT_THAT(text, HasSubstr("16 MiB: not measured: the time budget was used up"));
  EXPECT_THAT(text, Not(HasSubstr(" 0/0")));
}

TEST(TextRenderer, LetsNoControlCharacterThrough) {
  for (const auto* format : {"text", "md", "csv"}) {
    const auto text = render(format, broken_record());
    EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](char c) {
      return c != '\n' && c >= 0 && c < 0x20;
    })) << format;
  }
}

TEST(TextRenderer, ColoursOnlyWhenAsked) {
  EXPECT_THAT(render("text", broken_record()), Not(HasSubstr("\x1b[")));
  EXPECT_THAT(render("text", broken_record(), {.has_colour = true}), HasSubstr("\x1b[1;31m"));
}

TEST(TextRenderer, ShowsEveryConfigurationOnlyInDetail) {
  const std::string swept = "2 channels x 4 threads x 1 socket";
  EXPECT_THAT(render("text", sample_record()), Not(HasSubstr(swept)));
  EXPECT_THAT(render("text", sample_record(), {.is_detailed = true}), HasSubstr(swept));
}

TEST(MdRenderer, EscapesWhatMarkdownActsOn) {
  const auto text = render("md", broken_record());
  EXPECT_THAT(text, HasSubstr("\\| &lt;b&gt;\\*really\\*&lt;/b&gt;"));
}

TEST(CsvRenderer, GivesEveryRowAsManyCellsAsTheHeader) {
  for (const auto& record : {sample_record(), broken_record()}) {
    std::istringstream lines(render("csv", record));
    std::string header;
    std::getline(lines, header);
    const auto cells = [](const std::string& line) {
      bool is_quoted = false;
      return std::count_if(line.begin(), line.end(), [&](char c) {
        if (c == '"') is_quoted = !is_quoted;
        return c == ',' && !is_quoted;
      });
    };
    for (std::string line; std::getline(lines, line);)
      EXPECT_EQ(cells(line), cells(header)) << line;
  }
}

TEST(CsvRenderer, KeepsSpreadsheetsFromRunningWhatCameFromOutside) {
  auto record = sample_record();
  record.results[0].interface = "=cmd|'/C calc'!A0";
  record.results[0].mode = "@SUM(1,2)";
  const auto text = render("csv", record);
  EXPECT_THAT(text, HasSubstr(",'=cmd|'/C calc'!A0,"));
  EXPECT_THAT(text, HasSubstr(",\"'@SUM(1,2)\","));
}

TEST(JsonRenderer, GivesTheRecordItself) {
  EXPECT_EQ(render("json", sample_record()), model::to_json(sample_record()));
}

TEST(JsonRenderer, GivesAnArrayOfSeveralRecords) {
  const std::vector<NamedRecord> two{{.name = "a", .record = sample_record()},
                                     {.name = "b", .record = broken_record()}};
  const auto text = find_renderer("json")->render(two, {});
  EXPECT_TRUE(text.starts_with("[\n{"));
  EXPECT_TRUE(text.ends_with("}\n]\n"));
}

}  // namespace
}  // namespace ringwise::report::test
