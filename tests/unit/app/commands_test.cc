// Tests of the commands on files: what they write, print and return.
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>

#include "app/commands/command.h"
#include "base/error.h"
#include "base/file.h"
#include "model/json.h"

namespace ringwise::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A folder of its own for each test, removed afterwards.
class Commands : public ::testing::Test {
 public:
  Commands() {
    std::string name = ::testing::TempDir() + "ringwise-XXXXXX";
    directory_ = base::check_ptr(mkdtemp(name.data()), "mkdtemp");
  }
  ~Commands() override {
    std::error_code code;
    fs::remove_all(directory_, code);
  }

 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return directory_ / name; }

  /// Writes a record of two hosts, and returns its path.
  [[nodiscard]] std::string record(bool is_complete, bool is_measured = false) const {
    model::RunRecord made;
    made.complete = is_complete;
    made.launch.ranks = 2;
    made.launch.nodes = 2;
    made.launch.ranks_per_node = {1, 1};
    made.hosts.resize(2);
    made.hosts[0].host = "node1";
    made.hosts[1].host = "node2";
    if (is_measured) made.results.emplace_back().probe = "system";
    base::write_atomically(path("run.json"), model::to_json(made));
    return path("run.json");
  }

  static Outcome run(std::vector<std::string> args) { return run_ringwise(args); }

 private:
  fs::path directory_;
};

TEST_F(Commands, RecommendWritesItsFilesAndNamesThem) {
  const auto outcome = run({"recommend", record(true, true), "-o", path("new/out")});
  EXPECT_EQ(outcome.code, ExitCode::kOk);
  EXPECT_THAT(outcome.out, HasSubstr("by default. Its size now was not measured"));
  for (const char* name : {"nccl.env", "nccl.conf", "pod.yaml", "pod.patch.yaml", "advice.json"}) {
    EXPECT_TRUE(fs::exists(path(std::string("new/out/") + name))) << name;
    EXPECT_THAT(outcome.out, HasSubstr(path(std::string("new/out/") + name)));
  }
  const auto advice = model::advice_from_json(*base::read_text(path("new/out/advice.json")));
  EXPECT_FALSE(advice.empty());
}

TEST_F(Commands, RecommendReturnsFiveAndWritesNoPodWhenNothingWasMeasured) {
  const auto outcome = run({"recommend", record(true), "-o", path("out")});
  EXPECT_EQ(outcome.code, ExitCode::kInconclusive);
  EXPECT_FALSE(fs::exists(path("out/pod.yaml")));
}

TEST_F(Commands, RecommendRemovesItsOwnStaleFilesOnly) {
  base::write_atomically(path("nccl.gone.conf"), "# Written by ringwise recommend from x\nA=1\n");
  base::write_atomically(path("nccl.mine.conf"), "NCCL_DEBUG=INFO\n");
  const auto file = record(true);
  (void)run({"recommend", file, "-o", path(""), "--quiet"});
  EXPECT_FALSE(fs::exists(path("nccl.gone.conf")));
  EXPECT_TRUE(fs::exists(path("nccl.mine.conf")));
}

TEST_F(Commands, ReadersReturnThreeForARunThatIsNotComplete) {
  const auto file = record(false);
  EXPECT_EQ(run({"report", file}).code, ExitCode::kNotMeasured);
  const auto outcome = run({"recommend", file, "-o", path("out")});
  EXPECT_EQ(outcome.code, ExitCode::kNotMeasured);
  EXPECT_THAT(outcome.out, HasSubstr("a rank or a stage is missing"));
  EXPECT_FALSE(fs::exists(path("out/pod.yaml")));
}

TEST_F(Commands, RecommendNamesAFolderThatCannotBeMade) {
  const auto file = record(true);
  try {
    (void)run({"recommend", file, "-o", file + "/out"});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("run.json/out"));
  }
}

TEST_F(Commands, AnEmptyValueIsNamedWithItsOption) {
  const auto file = record(true);
  try {
    (void)run({"recommend", file, "-o", ""});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), HasSubstr("--output: a value is needed, this one is empty"));
  }
}

TEST_F(Commands, AFileThatIsGivenTwiceIsRefused) {
  const auto file = record(true, true);
  for (const char* command : {"report", "explain", "compare", "recommend"}) {
    for (const auto& again : {file, path("")}) {
      try {
        (void)run({command, file, again});
        FAIL() << command << " took " << again;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kUsage);
        EXPECT_THAT(error.what(), HasSubstr("the same file is given twice"));
      }
    }
  }
}

TEST_F(Commands, ReportGivesTheRecordBackAsJson) {
  const auto file = record(true);
  EXPECT_EQ(run({"report", file, "--format", "json"}).out, *base::read_text(file));
}

TEST_F(Commands, SystemReadsAnotherRoot) {
  const auto text = run({"system", "--root", path(""), "--format", "json"}).out;
  EXPECT_THAT(text, HasSubstr("\"schema_version\""));
  EXPECT_THAT(text, HasSubstr("\"mode\""));
}

TEST_F(Commands, SystemNeedsAFolder) {
  EXPECT_THROW((void)run({"system", "--root", path("nowhere")}), Error);
}

TEST_F(Commands, ExplainPassesNeitherARunThatBrokeOffNorOneWithoutMeasurements) {
  EXPECT_EQ(run({"explain", record(false)}).code, ExitCode::kNotMeasured);
  EXPECT_EQ(run({"explain", record(true)}).code, ExitCode::kInconclusive);
}

}  // namespace
}  // namespace ringwise::app
