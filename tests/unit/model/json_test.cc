// The JSON of the model types: round trips, what is left out, and what is refused.
#include "model/json.h"

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "full_record.h"
#include "journal_texts.h"
#include "usage_error.h"

namespace ringwise::model {
namespace {

using test::usage_error_of;
using testing::HasSubstr;

std::string record_error(std::string_view text) {
  return usage_error_of([&] { (void)record_from_json(text); });
}

std::string with(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// Compares with the file in tests/fixtures/records; UPDATE_GOLDEN=1 writes it.
void expect_fixture(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(RINGWISE_FIXTURES) / "records" / name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) base::write_atomically(path, text);
  EXPECT_EQ(base::read_text(path).value_or("no such file"), text);
}

TEST(ToJson, GivesTheFullFixtures) {
  expect_fixture("full.json", to_json(test::full_record()));
  expect_fixture("advice.json", to_json(test::full_advice()));
  expect_fixture("run.json.rank0.journal", test::full_journal());
}

TEST(RecordFromJson, GivesBackEveryFieldThatToJsonWrote) {
  const std::string text = to_json(test::full_record());
  EXPECT_EQ(to_json(record_from_json(text)), text);
}

TEST(RecordFromJson, GivesBackAnEmptyRecord) {
  const std::string text = to_json(RunRecord{});
  EXPECT_EQ(to_json(record_from_json(text)), text);
}

TEST(FromJson, GivesBackTheLinesOfStageReportHostLaunchAndRank) {
  const RunRecord full = test::full_record();
  const StageReport report{full.results, full.counters, full.problems};
  const auto same = [](const std::string& line, const auto& read) {
    EXPECT_EQ(to_json_line(read(line)), line);
    EXPECT_EQ(line.find('\n'), std::string::npos);
  };
  same(to_json_line(report), stage_report_from_json);
  same(to_json_line(full.hosts[0]), host_from_json);
  same(to_json_line(full.launch), launch_from_json);
  same(to_json_line(full.ranks[0]), rank_from_json);
  EXPECT_EQ(to_json(host_from_json(to_json(full.hosts[0]))), to_json(full.hosts[0]));
}

TEST(AdviceFromJson, GivesBackAdviceAndUnsetIsNull) {
  const std::string text = to_json(test::full_advice());
  EXPECT_EQ(to_json(advice_from_json(text)), text);
  EXPECT_THAT(text, HasSubstr("\"value\": null"));
  EXPECT_FALSE(advice_from_json(text)[1].value.has_value());
}

TEST(ToJson, LeavesOutWhatIsAbsentOrNoNumber) {
  StageReport report;
  SizeResult& size = report.results.emplace_back().sizes.emplace_back();
  size.block_medians_us = {1.5, std::numeric_limits<double>::quiet_NaN(), 2.5};
  size.time_us_p50 = std::numeric_limits<double>::infinity();
  const std::string line = to_json_line(report);
  EXPECT_THAT(line, HasSubstr("\"block_medians_us\":[1.5,2.5]}"));
  EXPECT_THAT(line, HasSubstr("\"settings\":{}"));
  EXPECT_THAT(line, HasSubstr("\"pairs\":[]"));
  EXPECT_THAT(line, HasSubstr("\"counters\":[]"));
  EXPECT_EQ(line.find("p50"), std::string::npos);
  EXPECT_EQ(line.find(":nan"), std::string::npos);
}

TEST(ToJson, MakesBadTextValid) {
  Rank rank;
  rank.host = "a\xff\x01\"\\\n\xed\xa0\x80z";
  rank.interfaces = {"\xc3\xa4"};
  const std::string line = to_json_line(rank);
  EXPECT_THAT(line, HasSubstr("\"a\xEF\xBF\xBD\\u0001\\\"\\\\\\n"));
  EXPECT_THAT(line, HasSubstr("\"\xc3\xa4\""));
  EXPECT_EQ(to_json_line(rank_from_json(line)), line);
}

TEST(RecordFromJson, SaysWhereAndWhatIsWrong) {
  const std::string text = to_json(test::full_record());
  EXPECT_THAT(record_error(with(text, "\"bytes\": 4194304", "\"bytes\": \"4M\"")),
              testing::MatchesRegex("line [0-9]+, column [0-9]+: results\\[0\\]\\.sizes\\[0\\]"
                                    "\\.bytes: expected a whole number, found a string"));
  EXPECT_EQ(record_error("{\"schema_version\": \"1.0\",\n \"tool\": []}"),
            "line 2, column 10: tool: expected an object, found a list");
  EXPECT_EQ(record_error(R"({"complete": true, "schema_version": "1.0", "results": [)"
                         R"({"probe": "p", "status": "fine"}]})"),
            "line 1, column 82: results[0].status: expected one of ok, skipped, failed, found "
            "\"fine\"");
  EXPECT_EQ(record_error(""), "line 1, column 1: expected an object, found the end of the text");
  EXPECT_EQ(record_error("{\"schema_version\": \"1.0\"} x"),
            "line 1, column 1: there is no \"complete\" here");
  EXPECT_EQ(record_error("PK\x03\x04"), "line 1, column 1: expected an object, found 'P'");
}

TEST(RecordFromJson, RefusesAResultWithoutStatus) {
  EXPECT_EQ(record_error(R"({"complete": true, "schema_version": "1.0",
"results": [{"probe": "p"}]})"),
            "line 2, column 13: results[0]: there is no \"status\" here");
}

TEST(RecordFromJson, RefusesAnotherMajorVersion) {
  EXPECT_EQ(record_error(R"({"results": {"new": "shape"}, "schema_version": "2.0"})"),
            "schema_version is \"2.0\": this ringwise reads version 1 only");
  EXPECT_EQ(record_error(R"({"schema_version": "1.7", "complete": false, "results": []})"), "");
}

TEST(RecordFromJson, SkipsUnknownKeysAtAnyDepthAndTakesTheLastOfRepeatedOnes) {
  const RunRecord record = record_from_json(R"({"zero": null, "schema_version": "1.0",
    "complete": true, "launch": {"ranks": 7, "x": [[{"y": "\u00e4\ud83d\ude00"}], -1.5e3, true]},
    "launch": {"nodes": 2, "nodes": 3}, "results": [{"later": {}, "status": "skipped",
    "probe": "p", "reason": null}]})");
  EXPECT_EQ(record.launch.ranks, 0);
  EXPECT_EQ(record.launch.nodes, 3);
  EXPECT_EQ(record.results.at(0).status, Status::kSkipped);
  EXPECT_FALSE(record.results.at(0).reason.has_value());
}

TEST(RecordFromJson, BoundsNumbers) {
  const auto rank_with = [](const std::string& number) {
    return usage_error_of(
        [&] { (void)rank_from_json(R"({"host": "h", "rank": )" + number + "}"); });
  };
  EXPECT_EQ(rank_with("3"), "");
  EXPECT_EQ(rank_with("3.0e0"), "");
  EXPECT_EQ(rank_with("-0"), "");
  EXPECT_THAT(rank_with("3.5"), HasSubstr("expected a whole number from -2147483648 to"));
  EXPECT_THAT(rank_with("2147483648"), HasSubstr("found 2147483648"));
  EXPECT_THAT(rank_with("1e999"), HasSubstr("expected a whole number"));
  EXPECT_THAT(rank_with("99999999999999999999999999"), HasSubstr("expected a whole number"));
  EXPECT_THAT(rank_with("01"), HasSubstr("badly written"));
  EXPECT_THAT(rank_with("-"), HasSubstr("badly written"));
  EXPECT_THAT(usage_error_of([] {
                (void)stage_report_from_json(
                    R"({"results": [{"probe": "p", "status": "ok", "cpu_seconds": 1e999}]})");
              }),
              HasSubstr("results[0].cpu_seconds: the number 1e999 is out of range"));
}

TEST(RecordFromJson, BoundsNesting) {
  const std::string deep(100000, '[');
  EXPECT_THAT(record_error("{\"x\": " + deep), HasSubstr("nested deeper than 64"));
  EXPECT_THAT(record_error(deep), HasSubstr("expected an object, found a list"));
}

}  // namespace
}  // namespace ringwise::model
