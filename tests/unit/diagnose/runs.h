// A healthy run record of three hosts for the rules to find faults in, and what they say of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnose/diagnose.h"

namespace ringwise::diagnose {

/// A tcp-pairs result over eth0: every pair in both directions, each alone in its round.
[[nodiscard]] model::Result pairs();

/// A tcp-allreduce result over eth0 with 4 MiB as its only size.
[[nodiscard]] model::Result wire(double gbyte_per_s);

/// `results` are wire(0.119) and pairs().
[[nodiscard]] model::RunRecord healthy();

[[nodiscard]] model::Diagnosis diagnosed(const model::RunRecord& record);

[[nodiscard]] std::vector<std::string> causes(const model::RunRecord& record);

/// The only finding; fails the test when there is none or are several.
[[nodiscard]] model::Finding only(const model::RunRecord& record);

/// Calls `change` for each pair that has this rank at an end.
void change_pairs(model::RunRecord& record, int rank,
                  const std::function<void(model::PairResult&)>& change);

}  // namespace ringwise::diagnose
