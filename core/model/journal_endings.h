// How each rank of a run without record ended, as problems of the record. Private to core/model.
#pragma once

#include <map>

#include "model/journal.h"

namespace ringwise::model {

/// The journals that there are, by rank.
using JournalsByRank = std::map<int, const Journal*>;

/// Adds to `record.problems` which ranks left no journal, which stop without a word, which were
/// stopped by a signal, and what in the journals could not be read.
void add_endings(RunRecord& record, const JournalsByRank& journals);

}  // namespace ringwise::model
