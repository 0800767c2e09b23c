// Journals: the lines, what a broken run leaves of them, and the record made from them.
#include "model/journal.h"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "full_record.h"
#include "journal_texts.h"
#include "model/json.h"
#include "usage_error.h"

namespace ringwise::model {
namespace {

using test::begin_line;
using test::journal_of;
using test::stage_line;
using test::usage_error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> texts(const std::vector<Problem>& problems) {
  std::vector<std::string> lines;
  lines.reserve(problems.size());
  for (const Problem& problem : problems) lines.push_back(problem.text);
  return lines;
}

std::string stage_begin(const std::string& stage) {
  return to_json_line(JournalStageBegin{stage, "2026-01-31T12:00:01Z"}) + "\n";
}
std::string step(const std::string& stage, const std::string& text) {
  return to_json_line(JournalStep{stage, text}) + "\n";
}
std::string signal_line() {
  return to_json_line(JournalSignal{15, "2026-01-31T12:00:09Z"}) + "\n";
}
std::string end_line() {
  return to_json_line(JournalEnd{"2026-01-31T12:00:10Z"}) + "\n";
}

TEST(JournalLines, AreAsDocumented) {
  EXPECT_EQ(to_json_line(JournalStageBegin{"tcp-allreduce", "2026-01-31T12:00:01Z"}),
            R"({"event":"stage-begin","stage":"tcp-allreduce","at":"2026-01-31T12:00:01Z"})");
  EXPECT_EQ(to_json_line(JournalStep{"tcp-pairs", "connecting to rank 2"}),
            R"({"event":"step","stage":"tcp-pairs","step":"connecting to rank 2"})");
  EXPECT_EQ(to_json_line(JournalSignal{15, std::nullopt}), R"({"event":"signal","signal":15})");
  EXPECT_EQ(to_json_line(JournalEnd{"x"}), R"({"event":"end","at":"x"})");
  Problem problem;
  problem.text = "why";
  EXPECT_EQ(to_json_line(JournalProblem{problem}),
            R"({"event":"problem","problem":{"stage":"","text":"why"}})");
  EXPECT_THAT(begin_line(0, 2), testing::StartsWith(R"({"event":"begin","schema_version":"1.0",)"));
}

TEST(ReadJournal, GivesBackWhatWasWritten) {
  const RunRecord full = test::full_record();
  Problem problem;
  problem.text = "no answer";
  const JournalStage outcome{
      "tcp-allreduce", Status::kFailed, "cut", {full.results, full.counters, full.problems}};
  const Journal journal = read_journal(
      begin_line(1, 2) + stage_begin("tcp-allreduce") + step("tcp-allreduce", "block 2") +
      to_json_line(outcome) + "\n" + to_json_line(JournalProblem{problem}) + "\n" + end_line());
  EXPECT_EQ(journal.begin.rank.rank, 1);
  EXPECT_THAT(journal.begin.plan, ElementsAre("system", "tcp-allreduce"));
  ASSERT_EQ(journal.stages.size(), 1U);
  EXPECT_EQ(journal.stages[0].step, "block 2");
  ASSERT_TRUE(journal.stages[0].outcome.has_value());
  EXPECT_EQ(to_json_line(*journal.stages[0].outcome), to_json_line(outcome));
  EXPECT_THAT(texts(journal.problems), ElementsAre("no answer"));
  EXPECT_EQ(journal.ended, "2026-01-31T12:00:10Z");
  EXPECT_THAT(journal.notes, IsEmpty());
  EXPECT_FALSE(journal.is_truncated);
}

TEST(ReadJournal, LeavesOutACutLastLineAndForeignLines) {
  const Journal journal = read_journal(
      begin_line(0, 1) + "Segmentation fault\n\n" + R"({"event":"later-event","x":[1]})" + "\n" +
      R"({"event":"stage","stage":"a","status":"good"})" + "\n" + stage_begin("a").substr(0, 25));
  EXPECT_TRUE(journal.is_truncated);
  EXPECT_THAT(journal.stages, IsEmpty());
  EXPECT_THAT(journal.notes,
              ElementsAre("line 2, column 1: expected an object, found 'S'",
                          HasSubstr("line 5, column 39: status: expected one of ok, skipped")));
}

TEST(ReadJournal, TakesALastLineWithoutLineEnd) {
  const Journal journal = read_journal(begin_line(0, 1) + R"({"event":"end","at":"z"})");
  EXPECT_EQ(journal.ended, "z");
  EXPECT_FALSE(journal.is_truncated);
}

TEST(ReadJournal, TakesTheLastOfSeveralRuns) {
  const Journal journal =
      read_journal(begin_line(0, 4) + stage_begin("a") + signal_line() + begin_line(0, 2));
  EXPECT_EQ(journal.begin.launch.ranks, 2);
  EXPECT_THAT(journal.stages, IsEmpty());
  EXPECT_FALSE(journal.signal.has_value());
}

TEST(ReadJournal, RefusesWhatIsNoJournalOrOfAnotherVersion) {
  EXPECT_EQ(usage_error_of([] { (void)read_journal("hello\n", "x.journal"); }),
            "x.journal: not a journal: no {\"event\":\"begin\",...} in it; line 1, column 1: "
            "expected an object, found 'h'");
  EXPECT_THAT(usage_error_of([] { (void)read_journal(end_line()); }),
              HasSubstr("there is no \"begin\" before this line"));
  EXPECT_EQ(usage_error_of(
                [] { (void)read_journal(R"({"event":"begin","schema_version":"3.1"})", "j"); }),
            "j: schema_version is \"3.1\": this ringwise reads version 1 only");
}

TEST(JournalWriter, AppendsWholeLinesAndReplacesAnOlderFile) {
  const std::filesystem::path path =
      journal_path(std::filesystem::path(testing::TempDir()) / "ringwise_journal_test", 3);
  EXPECT_EQ(path.filename(), "ringwise_journal_test.rank3.journal");
  base::write_atomically(path, "of an older run\n");
  const JournalWriter writer(path);
  writer.append(JournalEnd{"x"});
  writer.append("{}");
  base::write_all(writer.fd(), "from a handler\n", path);
  EXPECT_EQ(base::read_text(path), "{\"event\":\"end\",\"at\":\"x\"}\n{}\nfrom a handler\n");
  std::filesystem::remove(path);
}

TEST(JournalWriter, SaysWhichFileCannotBeMade) {
  EXPECT_EQ(usage_error_of([] { JournalWriter("/nowhere/run.json.rank0.journal"); }),
            "cannot write /nowhere/run.json.rank0.journal: No such file or directory");
}

TEST(RecordFromJournals, NamesTheKilledRankAndNotThoseThatTheLauncherStopped) {
  const std::string begun = stage_begin("tcp-allreduce");
  const std::vector<Journal> journals = {
      read_journal(begin_line(0, 3) + stage_line("system", "a") + begun + signal_line()),
      read_journal(begin_line(1, 3) + stage_line("system", "b") + begun +
                   step("tcp-allreduce", "block 2, 4 MiB")),
      read_journal(begin_line(2, 3) + stage_line("system", "c") + begun + signal_line())};
  const RunRecord record = record_from_journals(journals);
  EXPECT_FALSE(record.complete);
  EXPECT_THAT(
      texts(record.problems),
      ElementsAre(
          "rank 1 on node1 was killed, or its host was lost, in stage tcp-allreduce "
          "(block 2, 4 MiB): its journal stops there",
          "ranks 0, 2 were stopped by signal 15 after that, by the launcher: not the cause"));
  const Problem& culprit = record.problems[0];
  EXPECT_EQ(culprit.rank, 1);
  EXPECT_EQ(culprit.host, "node1");
  EXPECT_EQ(culprit.sign, "rank-lost");
  EXPECT_FALSE(record.problems[1].sign.has_value());
  EXPECT_EQ(culprit.stage, "tcp-allreduce");
  EXPECT_EQ(culprit.step, "block 2, 4 MiB");
  ASSERT_EQ(record.results.size(), 2U);
  EXPECT_EQ(record.results[0].probe, "a");
  EXPECT_EQ(record.results[0].status, Status::kOk);
  EXPECT_EQ(record.results[1].probe, "tcp-allreduce");
  EXPECT_EQ(record.results[1].status, Status::kFailed);
  EXPECT_EQ(record.results[1].reason, "not measured: the run was broken off in it");
  EXPECT_EQ(record.hosts.size(), 3U);
  EXPECT_EQ(record.ranks.size(), 3U);
  EXPECT_EQ(record.launch.nodes, 3);
  EXPECT_EQ(record.ended, "2026-01-31T12:00:09Z");
}

// The neighbours of a killed rank saw their connections close, and had the time to say so.
TEST(RecordFromJournals, TheLostRankStandsBeforeWhatItsNeighboursSawOfIt) {
  JournalStage closed{"tcp-allreduce", Status::kFailed, "closed", {}};
  Problem problem;
  problem.stage = "tcp-allreduce";
  problem.rank = 0;
  problem.text = "connection to rank 1 closed by the peer";
  problem.sign = "closed";
  closed.report.problems = {problem};
  const std::string begun = stage_begin("tcp-allreduce");
  const std::string ended = begun + to_json_line(closed) + "\n" + signal_line();
  const std::vector<Journal> killed = {journal_of(0, 2, ended), journal_of(1, 2, begun)};
  const auto lines = texts(record_from_journals(killed).problems);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0], HasSubstr("rank 1 on node1 was killed"));
  EXPECT_EQ(lines[2], problem.text);
  // The same when a person ended the run.
  const std::vector<Journal> stopped = {journal_of(0, 2, ended),
                                        journal_of(1, 2, begun + signal_line())};
  EXPECT_THAT(texts(record_from_journals(stopped).problems),
              ElementsAre(HasSubstr("ranks 0-1 were stopped by signal 15"), problem.text));
}

// Rank 0's supervisor was stopped: the others gave up on it and ended the run, and mpirun woke it
// to end it, too.
TEST(RecordFromJournals, BlamesWhomTheOthersGaveUpOn) {
  Problem silent;
  silent.stage = "run";
  silent.rank = 0;
  silent.host = "node0";
  silent.text = "rank 0 stays silent on the control interface: it is stopped, or cut off";
  const std::string gave_up = to_json_line(JournalProblem{.problem = silent}) + "\n";
  const std::string begun = stage_begin("tcp-allreduce");
  for (const std::string& end_of_rank_0 : {signal_line(), std::string()}) {
    const std::vector<Journal> journals = {journal_of(0, 3, begun + end_of_rank_0),
                                           journal_of(1, 3, begun + gave_up),
                                           journal_of(2, 3, begun + gave_up)};
    EXPECT_THAT(texts(record_from_journals(journals).problems), ElementsAre(silent.text));
  }
}

TEST(RecordFromJournals, NamesRanksWithoutJournalAndHandsTheGapToMerge) {
  const std::vector<Journal> journals = {journal_of(2, 4, stage_line("system", "r2")),
                                         journal_of(0, 4, stage_line("system", "r0"))};
  std::vector<bool> reported;
  const RunRecord record = record_from_journals(journals, [&](const auto& reports) {
    for (const auto& report : reports) reported.push_back(report.has_value());
    return keep_lowest_rank(reports);
  });
  EXPECT_THAT(reported, ElementsAre(true, false, true, false));
  EXPECT_EQ(record.results.at(0).probe, "r0");
  EXPECT_EQ(record.results.at(0).status, Status::kFailed);
  EXPECT_EQ(record.results.at(0).reason, "only 2 of 4 ranks reported");
  EXPECT_EQ(record.results.at(1).reason, "not measured: the run was broken off before it");
  ASSERT_GE(record.problems.size(), 2U);
  EXPECT_EQ(record.problems[0].rank, 1);
  EXPECT_EQ(record.problems[1].text,
            "rank 3 left no journal: never started, or the file is not here");
}

TEST(RecordFromJournals, NamesManyMissingRanksInOneLine) {
  const std::vector<Journal> journals = {journal_of(5, 40, end_line())};
  EXPECT_THAT(texts(record_from_journals(journals).problems),
              ElementsAre(HasSubstr("ranks 0-4, 6-39 left no journal")));
}

TEST(RecordFromJournals, SaysWhenTheWholeRunStopsAtOnce) {
  const std::vector<Journal> journals = {journal_of(0, 2, stage_begin("system")),
                                         journal_of(1, 2, "")};
  EXPECT_THAT(
      texts(record_from_journals(journals).problems),
      ElementsAre("the journals of ranks 0-1 stop without a word, rank 0's in stage system: "
                  "the whole run was killed at once, or is still going"));
  EXPECT_FALSE(record_from_journals(journals).problems.at(0).sign.has_value());
  const std::vector<Journal> alone = {journal_of(0, 2, stage_begin("system"))};
  for (const auto& problem : record_from_journals(alone).problems) {
    EXPECT_FALSE(problem.sign.has_value()) << problem.text;
  }
}

TEST(RecordFromJournals, SaysWhenEveryRankWasStopped) {
  const std::vector<Journal> journals = {journal_of(0, 2, signal_line()),
                                         journal_of(1, 2, signal_line())};
  EXPECT_THAT(texts(record_from_journals(journals).problems),
              ElementsAre(HasSubstr("ranks 0-1 were stopped by signal 15, by the launcher or a "
                                    "person")));
}

TEST(RecordFromJournals, IsNeverWithoutAProblem) {
  const std::vector<Journal> journals = {journal_of(0, 1, end_line())};
  const RunRecord record = record_from_journals(journals);
  EXPECT_FALSE(record.complete);
  EXPECT_THAT(texts(record.problems), ElementsAre(HasSubstr("left in good order")));
}

TEST(RecordFromJournals, KeepsSkippedStagesSkippedAndTheirReason) {
  const JournalStage skipped{"system", Status::kSkipped, "no such hardware", {}};
  const std::vector<Journal> journals = {
      journal_of(0, 1, to_json_line(skipped) + "\n" + end_line())};
  const RunRecord record = record_from_journals(journals);
  EXPECT_EQ(record.results.at(0).status, Status::kSkipped);
  EXPECT_EQ(record.results.at(0).reason, "no such hardware");
}

TEST(RecordFromJournals, KeepsTheDetectedModeOnlyWhereRanksAgree) {
  std::vector<Journal> journals = {journal_of(0, 2, ""), journal_of(1, 2, "")};
  journals[0].begin.mode = {"pods", "overlay", {"eth0 is a veth"}};
  journals[1].begin.mode = {"pods", "host", {"eth0 is physical"}};
  const Mode mode = record_from_journals(journals).mode;
  EXPECT_EQ(mode.label, "pods");
  EXPECT_EQ(mode.detected, "unknown");
  EXPECT_THAT(mode.evidence, ElementsAre("eth0 is a veth", "eth0 is physical"));
}

TEST(RecordFromJournals, ReportsDamage) {
  std::vector<Journal> journals = {journal_of(0, 1, end_line())};
  journals[0].is_truncated = true;
  journals[0].notes.assign(10, "line 3, column 1: expected an object, found 'x'");
  const auto lines = texts(record_from_journals(journals).problems);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_THAT(lines.front(), HasSubstr("journal of rank 0: the last line was cut off"));
  EXPECT_THAT(lines.back(), HasSubstr("left out 2 further lines"));
}

TEST(RecordFromJournals, RefusesJournalsThatAreNotOfOneRun) {
  const auto error_of = [](const std::vector<Journal>& journals) {
    return usage_error_of([&] { (void)record_from_journals(journals); });
  };
  EXPECT_EQ(error_of({}), "there is no journal");
  EXPECT_EQ(error_of({journal_of(1, 2, ""), journal_of(1, 2, "")}),
            "there are two journals of rank 1");
  EXPECT_THAT(error_of({journal_of(0, 2, ""), journal_of(1, 3, "")}),
              HasSubstr("of different runs: rank 0 is one of 2 ranks, rank 1 one of 3"));
  auto other = journal_of(1, 2, "");
  other.begin.run = "another";
  EXPECT_THAT(error_of({journal_of(0, 2, ""), other}),
              HasSubstr("of different runs: that of rank 0 begins at"));
  EXPECT_THAT(error_of({journal_of(5, 2, "")}), HasSubstr("is of rank 5 of 2 ranks"));
  EXPECT_THAT(error_of({journal_of(0, 2000000000, "")}), HasSubstr("2000000000 ranks"));
}

}  // namespace
}  // namespace ringwise::model
