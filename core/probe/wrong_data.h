// Which rank of a ring says that data came out wrong, and where it was changed.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "probe/run_one.h"

namespace ringwise::probe {

/// What one rank found wrong.
struct WrongData {
  std::uint64_t elements = 0;
  std::set<int> owners;    ///< ranks whose own data arrived wrong here; empty when only sums were
  std::string first_size;  ///< "4 MiB"
  std::optional<std::string> interface;  ///< it came over
};

/// For the other ranks: "sums 2" = something is wrong, and of rank 2's data it is known.
[[nodiscard]] std::string to_words(const WrongData& data);

/// What `rank` has to say of it, absent when nothing is wrong here or another rank is nearer to
/// the place. `all` are the words of all ranks of the run. Data goes from its owner round the ring
/// in the order of the ranks: who gets it wrong from one that got it right, or from the owner, is
/// at the end of the path that changed it. With `is_whole_run` false the ring is a part of the run,
/// whose ranks are not those of `all`: there everyone speaks.
[[nodiscard]] std::optional<Failure> place_of_wrong(const WrongData& mine,
                                                    std::span<const std::string> all, int rank,
                                                    bool is_whole_run);

}  // namespace ringwise::probe
