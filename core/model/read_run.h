// Runs from files: a record, or the journals of a run that wrote none.
#pragma once

#include <filesystem>
#include <span>

#include "model/journal.h"
#include "model/record.h"

namespace ringwise::model {

/// One run from `paths`, each of which may be a run record, a journal, a directory that holds
/// run.json or one run's journals, or the name of a record that was not written beside which
/// NAME.rank*.journal lie. What is in a file decides what it is, not its name. Several paths are
/// several journals of one run. Throws Error(kUsage) with the path and what is wrong with it.
[[nodiscard]] RunRecord read_run(std::span<const std::filesystem::path> paths,
                                 const MergeReports& merge = keep_lowest_rank);
[[nodiscard]] RunRecord read_run(const std::filesystem::path& path,
                                 const MergeReports& merge = keep_lowest_rank);

}  // namespace ringwise::model
