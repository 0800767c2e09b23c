// The files of a run: where its record may be written, and the journal of this rank.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/probe/options.h"
#include "app/probe/world.h"
#include "model/journal.h"
#include "model/record.h"

namespace ringwise::app {

/// Before anything is measured rank 0 has to be able to write the record, and nothing that is no
/// record may be lost for it. Throws Error(kUsage) otherwise. Leaves nothing behind.
void check_output(const std::string& output);

/// Removes an older run's record and those of its journals that a run of `ranks` does not write
/// itself. Throws where that fails.
void remove_old_run(const std::string& output, int ranks);

/// What this rank leaves when the run has no record. It lies beside the record; on a host without
/// that folder in the temporary folder. From its making on the signal handler adds its line.
class RunJournal {
 public:
  RunJournal(const ProbeOptions& options, const World& world, const Introduction& mine);

  void begin_stage(const std::string& stage) const;
  void step(const std::string& stage, std::string_view text) const;
  /// The stage's status is that of its last result that is not ok.
  void end_stage(const std::string& stage, const model::StageReport& report) const;
  void problem(const model::Problem& problem) const;
  /// A record that is on disk makes the journal superfluous.
  void end(bool is_superfluous) const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  model::JournalWriter writer_;
};

}  // namespace ringwise::app
