#include "probe/wrong_data.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::probe {
namespace {

std::string word_of(const WrongPiece& piece) {
  return (piece.is_on_arms ? "a" : "r") + std::to_string(piece.owner);
}

bool has_word(const std::string& text, const std::string& word) {
  const auto words = base::split(text, ' ');
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Does any rank know whose data is wrong, in an operation of this kind?
bool is_known(std::span<const std::string> all, char kind) {
  return std::any_of(all.begin(), all.end(), [kind](const std::string& text) {
    const auto words = base::split(text, ' ');
    return std::any_of(words.begin(), words.end(),
                       [kind](const auto& word) { return !word.empty() && word.front() == kind; });
  });
}

/// The neighbour that changed it, or on the way from which it was changed; absent: not seen first
/// here.
std::optional<int> culprit(const WrongData& mine, std::span<const std::string> all) {
  const bool is_ring_known = is_known(all, 'r');
  for (const auto& piece : mine.pieces) {
    if (piece.is_on_arms && is_ring_known) continue;
    const auto& its_words = all[static_cast<std::size_t>(piece.sender)];
    if (piece.sender == piece.owner || !has_word(its_words, word_of(piece))) return piece.sender;
  }
  return std::nullopt;
}

}  // namespace

std::string to_words(const WrongData& data) {
  std::vector<std::string> words;
  if (data.elements > 0) words.emplace_back("sums");
  for (const auto& piece : data.pieces) words.push_back(word_of(piece));
  return base::join(words, " ");
}

std::optional<Failure> place_of_wrong(const WrongData& mine, std::span<const std::string> all,
                                      bool is_whole_run) {
  if (mine.elements == 0) return std::nullopt;
  const auto peer = is_whole_run ? culprit(mine, all) : std::nullopt;
  const bool is_known_elsewhere = is_whole_run && (is_known(all, 'r') || is_known(all, 'a'));
  if (!peer && is_known_elsewhere) return std::nullopt;
  Failure failure;
  failure.text = fmt::format("{} wrong element{}, first at {}: {}", mine.elements,
                             mine.elements == 1 ? "" : "s", mine.first_size,
                             peer ? fmt::format("changed on rank {} or on the way from it", *peer)
                                  : std::string("in memory, or in the addition"));
  failure.place.sign = "wrong-data";
  failure.place.step = "verify " + mine.first_size;
  failure.place.interface = mine.interface;
  failure.place.peer = peer;
  return failure;
}

}  // namespace ringwise::probe
