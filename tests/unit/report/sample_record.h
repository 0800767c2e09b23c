// Records that the tests of the reading side show, written by hand.
#pragma once

#include "model/record.h"

namespace ringwise::report::test {

/// Three nodes over a 1 Gbit/s link, complete and quiet, with a sweep, a trial and pairs.
[[nodiscard]] model::RunRecord sample_record();

/// What is left of a run whose second rank stopped answering: contradicted path, wrong data,
/// problems, absent numbers, and text that would act on a terminal or in Markdown.
[[nodiscard]] model::RunRecord broken_record();

}  // namespace ringwise::report::test
