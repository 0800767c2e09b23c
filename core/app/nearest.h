// The known word that a mistyped one was most likely meant to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ringwise::app {

/// The word of `known` that takes the fewest insertions, deletions, replacements and swaps of
/// neighbours to become `word`; of equals the first. Empty when none is near: more than a third of
/// the letters, and more than two, would have to change.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> known);

}  // namespace ringwise::app
