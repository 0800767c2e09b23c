// Which rank of a ring says that data came out wrong, and where it was changed.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "probe/run_one.h"

namespace ringwise::probe {

/// A rank's own data that arrived wrong here.
struct WrongPiece {
  int owner = 0;
  int sender = 0;           ///< the neighbour that it came from
  bool is_on_arms = false;  ///< of an operation over arms (ring_arms.h), not round the ring

  friend auto operator<=>(const WrongPiece&, const WrongPiece&) = default;
};

/// What one rank found wrong.
struct WrongData {
  std::uint64_t elements = 0;
  std::set<WrongPiece> pieces;           ///< empty when only sums were wrong
  std::string first_size;                ///< "4 MiB"
  std::optional<std::string> interface;  ///< it came over
};

/// For the other ranks: "sums r2 a0" = something is wrong, and of rank 2's data round the ring and
/// of rank 0's over arms it is known.
[[nodiscard]] std::string to_words(const WrongData& data);

/// What this rank has to say of it, absent when nothing is wrong here or another rank is nearer to
/// the place. `all` are the words of all ranks of the run. Who gets data wrong from one that got it
/// right, or from its owner, is at the end of the path that changed it. With `is_whole_run` false
/// the ring is a part of the run, whose ranks are not those of `all`: there everyone speaks.
[[nodiscard]] std::optional<Failure> place_of_wrong(const WrongData& mine,
                                                    std::span<const std::string> all,
                                                    bool is_whole_run);

}  // namespace ringwise::probe
