// Finding and reading a run from files: records, journals, directories, and what is none of them.
#include "model/read_run.h"

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

namespace fs = std::filesystem;
using test::begin_line;
using test::usage_error_of;
using testing::EndsWith;
using testing::HasSubstr;

class ReadRun : public testing::Test {
 public:
  ReadRun() { fs::create_directories(directory_); }
  ~ReadRun() override { fs::remove_all(directory_); }
  ReadRun(const ReadRun&) = delete;
  ReadRun& operator=(const ReadRun&) = delete;
  ReadRun(ReadRun&&) = delete;
  ReadRun& operator=(ReadRun&&) = delete;

 protected:
  fs::path put(const std::string& name, const std::string& text) const {
    base::write_atomically(directory_ / name, text);
    return directory_ / name;
  }
  [[nodiscard]] fs::path at(const std::string& name) const { return directory_ / name; }
  [[nodiscard]] static std::string error_of(const fs::path& path) {
    return usage_error_of([&] { (void)read_run(path); });
  }

  fs::path directory_ = fs::path(testing::TempDir()) /
                        ("ringwise_read_run_" + std::to_string(::getpid()) + "_" +
                         testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ReadRun, TakesARecordByItsContentWhateverItsName) {
  const auto path = put("result.txt", to_json(test::full_record()));
  EXPECT_EQ(to_json(read_run(path)), to_json(test::full_record()));
}

TEST_F(ReadRun, RefusesWhatIsNeitherFileNorPipe) {
  EXPECT_THAT(error_of("/dev/null"), HasSubstr("/dev/null: neither a file nor a pipe"));
}

TEST_F(ReadRun, TakesAJournalByItsContentWhateverItsName) {
  const RunRecord record = read_run(put("result.txt", begin_line(0, 1)));
  EXPECT_FALSE(record.complete);
  EXPECT_EQ(record.launch.ranks, 1);
}

TEST_F(ReadRun, TakesADirectoryWithRunJson) {
  put("run.json", to_json(test::full_record()));
  put("run.json.rank0.journal", begin_line(0, 1));
  EXPECT_TRUE(read_run(directory_).complete);
}

TEST_F(ReadRun, TakesTheJournalsWhenTheRecordWasNotWritten) {
  put("run.json.rank0.journal", begin_line(0, 12));
  put("run.json.rank11.journal", begin_line(11, 12));
  put("run.json.rank5.journal", "");
  put("run.json.rank6.journal", "{\"event\":\"beg");
  put("other.json.rank0.journal", begin_line(0, 1));
  EXPECT_EQ(read_run(at("run.json")).ranks.size(), 2U);
  EXPECT_THAT(error_of(directory_),
              EndsWith("journals of several runs in this directory, name one: other.json, "
                       "run.json"));
}

TEST_F(ReadRun, TakesADirectoryWithOneRunsJournalsAndSeveralJournalsByName) {
  const std::vector<fs::path> paths = {put("a.rank0.journal", begin_line(0, 2)),
                                       put("a.rank1.journal", begin_line(1, 2))};
  EXPECT_EQ(read_run(directory_).ranks.size(), 2U);
  EXPECT_EQ(read_run(paths).ranks.size(), 2U);
}

TEST_F(ReadRun, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(error_of(at("run.json")),
            at("run.json").string() + ": no such file (and no journals beside it)");
  EXPECT_EQ(error_of(at("no/run.json")),
            at("no/run.json").string() + ": no such file (and no journals beside it)");
  EXPECT_THAT(error_of(directory_), EndsWith(": neither run.json nor journals in this directory"));
  EXPECT_THAT(error_of(put("empty", " \n")), EndsWith("/empty: empty file"));
  EXPECT_THAT(error_of(put("text", "hello")),
              EndsWith("/text: line 1, column 1: expected an object, found 'h'"));
  EXPECT_THAT(error_of(put("v2", R"({"schema_version": "2.0"})")),
              EndsWith("/v2: schema_version is \"2.0\": this ringwise reads version 1 only"));
  EXPECT_THAT(error_of(put("x.rank0.journal", "noise\n")), HasSubstr("/x.rank0.journal: not a "));
}

TEST_F(ReadRun, RefusesTwoRecordsAsOneRun) {
  const std::vector<fs::path> paths = {put("a.json", to_json(test::full_record())),
                                       put("b.json", to_json(test::full_record()))};
  EXPECT_THAT(usage_error_of([&] { (void)read_run(paths); }),
              EndsWith("a.json: not a journal, and a run has only one record"));
  EXPECT_EQ(usage_error_of([&] { (void)read_run(std::vector<fs::path>{}); }), "no run was named");
}

}  // namespace
}  // namespace ringwise::model
