// Journal lines for tests.
#pragma once

#include <string>

#include "model/journal.h"

namespace ringwise::model::test {

/// The first line, with line end, of a rank on a node of its own; the plan has two stages.
[[nodiscard]] std::string begin_line(int rank, int ranks);
/// A stage that ended well with one result of probe `probe`.
[[nodiscard]] std::string stage_line(const std::string& stage, const std::string& probe);
/// begin_line and `rest`, as read.
[[nodiscard]] Journal journal_of(int rank, int ranks, const std::string& rest);

/// A journal with a line of every kind, every key present.
[[nodiscard]] std::string full_journal();

}  // namespace ringwise::model::test
