// Tests of the renderers on whole records.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>

#include "golden.h"
#include "model/json.h"
#include "report/pairs.h"
#include "report/registry.h"
#include "sample_record.h"

namespace ringwise::report::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

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
    std::istringstream lines(render("text", record, {.is_detailed = true}));
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

model::PathMtu path_of(int device_mtu, int route_mtu, int forward_mtu) {
  model::PathMtu path;
  path.device_mtu = device_mtu;
  path.route_mtu = route_mtu;
  path.forward_mtu = forward_mtu;
  return path;
}

model::Result pairs_with_paths(int count, const model::PathMtu& usual, const model::PathMtu& last) {
  model::Result result;
  result.probe = "tcp-pairs";
  for (int i = 0; i < count; ++i) {
    model::PairResult pair;
    pair.src = i;
    pair.dst = i + 1;
    pair.direction = "one-way";
    pair.path = i + 1 == count ? last : usual;
    result.pairs.push_back(pair);
  }
  return result;
}

TEST(PathTable, ShowsOnlyWhatIsUnusual) {
  const auto usual = path_of(1500, 1450, 1450);
  EXPECT_THAT(path_table(pairs_with_paths(9, usual, usual), false).rows, IsEmpty());
  EXPECT_THAT(path_table(pairs_with_paths(9, usual, usual), true).rows, SizeIs(9));
  auto lower = usual;
  lower.route_mtu = 1400;
  EXPECT_THAT(path_table(pairs_with_paths(9, usual, lower), false).rows,
              ElementsAre(ElementsAre("8", "9", "1500", "1400", "1450")));
  auto unknown = usual;
  unknown.forward_mtu.reset();
  unknown.reason = "no UDP packet\x1b arrived";
  const auto table = path_table(pairs_with_paths(9, usual, unknown), false);
  EXPECT_THAT(table.rows, ElementsAre(ElementsAre("8", "9", "1500", "1450", "-")));
  EXPECT_THAT(table.notes, ElementsAre("what arrives is not known (1 pair): no UDP packet\\x1b "
                                       "arrived"));
}

TEST(PathTable, LossOfLargePacketsIsUnusualEvenWhenAllPairsHaveIt) {
  const auto narrow = path_of(1500, 1500, 1400);
  const auto table = path_table(pairs_with_paths(40, narrow, narrow), false);
  EXPECT_THAT(table.rows, SizeIs(24));
  EXPECT_EQ(table.left_out, 16U);
  EXPECT_EQ(path_table(pairs_with_paths(40, narrow, narrow), true).left_out, 0U);
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
