// The journal of one rank: what it had when the run ended, whatever ended it. One JSON object a
// line, appended as things happen; the lines are described in docs/formats.md.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/handle.h"
#include "model/record.h"

namespace ringwise::model {

/// The first line: {"event":"begin", ...}.
struct JournalBegin {
  std::string schema_version = kSchemaVersion;
  Tool tool;
  std::optional<std::string> run;  ///< the same word in every journal of a run
  std::string started;             ///< UTC
  Launch launch;
  Rank rank;
  Host host;
  Mode mode;
  std::vector<std::string> plan;  ///< names of the stages, in order
};

/// {"event":"stage-begin", ...}
struct JournalStageBegin {
  std::string stage;
  std::string at;  ///< UTC
};

/// {"event":"step", ...}: what the stage is at, for the case that nothing follows.
struct JournalStep {
  std::string stage;
  std::string step;
};

/// {"event":"stage", ...}: the stage has ended on this rank.
struct JournalStage {
  std::string stage;
  Status status = Status::kOk;
  std::optional<std::string> reason;
  StageReport report;
};

/// {"event":"problem","problem":{...}}
struct JournalProblem {
  Problem problem;
};

/// {"event":"signal", ...}: the launcher or a person stopped this rank.
struct JournalSignal {
  int signal = 0;
  std::optional<std::string> at;  ///< UTC
};

/// {"event":"end", ...}: the rank left in good order.
struct JournalEnd {
  std::string at;  ///< UTC
};

/// One line each, without line end.
[[nodiscard]] std::string to_json_line(const JournalBegin& line);
[[nodiscard]] std::string to_json_line(const JournalStageBegin& line);
[[nodiscard]] std::string to_json_line(const JournalStep& line);
[[nodiscard]] std::string to_json_line(const JournalStage& line);
[[nodiscard]] std::string to_json_line(const JournalProblem& line);
[[nodiscard]] std::string to_json_line(const JournalSignal& line);
[[nodiscard]] std::string to_json_line(const JournalEnd& line);

/// "run.json" and 3 give "run.json.rank3.journal".
[[nodiscard]] std::filesystem::path journal_path(const std::filesystem::path& output, int rank);

/// Writes one rank's journal: one write(2) a line, so that a reader never sees lines mixed.
class JournalWriter {
 public:
  /// Makes the file (0644), in place of an older run's. Throws Error(kUsage) when it cannot.
  explicit JournalWriter(const std::filesystem::path& path);

  /// Appends `line` and a line end. Throws Error(kSystem) with the file's name, for
  /// example when the disk is full.
  void append(std::string_view line) const;
  template <typename Line>
    requires requires(const Line& line) { to_json_line(line); }
  void append(const Line& line) const {
    append(std::string_view(to_json_line(line)));
  }
  /// For a signal handler, which may write(2) one prepared line (with its line end) to it.
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  std::filesystem::path path_;
  base::FileDescriptor fd_;
};

/// A journal as it was read.
struct Journal {
  struct Stage {
    std::string stage;
    std::optional<std::string> step;      ///< the last one
    std::optional<JournalStage> outcome;  ///< absent: the stage has not ended
  };

  JournalBegin begin;
  std::vector<Stage> stages;  ///< as they began; a stage that ran twice is there twice
  std::vector<Problem> problems;
  std::optional<JournalSignal> signal;
  std::optional<std::string> ended;
  bool is_truncated = false;       ///< the last line was cut off
  std::vector<std::string> notes;  ///< lines that could not be read: "line 7: ..."
};

/// Lines that are no journal lines are noted and left out, as is a last line that was cut off;
/// events that a newer minor version may add are skipped. When several runs stand in the text, the
/// last counts. Throws Error(kUsage) when there is no `begin`, or one of another major version.
/// `source`, the file's name, is put before the error.
[[nodiscard]] Journal read_journal(std::string_view text, std::string_view source = {});

/// Brings one stage's reports, by rank, together; absent: that rank has none. It is
/// probe::merge_results where that module is at hand.
using MergeReports =
    std::function<std::vector<Result>(std::span<const std::optional<StageReport>>)>;

/// The results of the lowest rank that reported, failed with "only N of M ranks reported" when
/// some did not. No numbers are combined.
[[nodiscard]] std::vector<Result> keep_lowest_rank(
    std::span<const std::optional<StageReport>> by_rank);

/// The record of a run that wrote none. `complete` is false; stages of the plan without any report
/// are failed results; problems say which ranks left no journal, which rank's journal stops without
/// a word (it was killed, or its host lost) and in which stage and step, and which ranks the
/// launcher stopped after that. Throws Error(kUsage) when the journals are not of one run.
[[nodiscard]] RunRecord record_from_journals(std::span<const Journal> journals,
                                             const MergeReports& merge = keep_lowest_rank);

}  // namespace ringwise::model
