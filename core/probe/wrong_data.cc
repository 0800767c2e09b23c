#include "probe/wrong_data.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::probe {
namespace {

bool has_word(const std::string& text, const std::string& word) {
  const auto words = base::split(text, ' ');
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string to_words(const WrongData& data) {
  std::vector<std::string> words;
  if (data.elements > 0) words.emplace_back("sums");
  for (const int owner : data.owners) words.push_back(std::to_string(owner));
  return base::join(words, " ");
}

std::optional<Failure> place_of_wrong(const WrongData& mine, std::span<const std::string> all,
                                      int rank, bool is_whole_run) {
  if (mine.elements == 0) return std::nullopt;
  const int ranks = static_cast<int>(all.size());
  const int previous = (rank + ranks - 1) % ranks;
  const bool is_first_to_see =
      is_whole_run && std::any_of(mine.owners.begin(), mine.owners.end(), [&](int owner) {
        return previous == owner ||
               !has_word(all[static_cast<std::size_t>(previous)], std::to_string(owner));
      });
  const bool is_known_elsewhere =
      is_whole_run && std::any_of(all.begin(), all.end(), [](const std::string& text) {
        return text.find_first_of("0123456789") != std::string::npos;
      });
  if (!is_first_to_see && is_known_elsewhere) return std::nullopt;
  Failure failure;
  failure.text = fmt::format("{} wrong element{}, first at {}: {}", mine.elements,
                             mine.elements == 1 ? "" : "s", mine.first_size,
                             is_first_to_see
                                 ? fmt::format("changed on rank {} or on the way from it", previous)
                                 : std::string("in memory, or in the addition"));
  failure.place.sign = "wrong-data";
  failure.place.step = "verify " + mine.first_size;
  failure.place.interface = mine.interface;
  if (is_first_to_see) failure.place.peer = previous;
  return failure;
}

}  // namespace ringwise::probe
