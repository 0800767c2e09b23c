#include "knowledge/nccl_version.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ringwise::knowledge {
namespace {

/// Takes a number of at most six digits from the front of `text`.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto* const end = text.data() + std::min<std::size_t>(text.size(), 7);
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc{} || number < 0 || number > 999999) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

/// NCCL_VERSION(X, Y, Z): X 1000 + Y 100 + Z up to 2.8, X 10000 + Y 100 + Z from 2.9 on.
std::optional<NcclVersion> from_code(int code) {
  const int per_major = code < 10000 ? 1000 : 10000;
  const NcclVersion version{code / per_major, code % per_major / 100, code % 100};
  if (version.major < 1 || version.major > 9) return std::nullopt;
  return version;
}

}  // namespace

std::optional<NcclVersion> parse_nccl_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::array<int, 3> parts{};
  std::size_t count = 0;
  while (count < parts.size()) {
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    parts.at(count++) = *number;
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  if (!text.empty() && text.front() != '-' && text.front() != '+') return std::nullopt;
  if (count == 1) return from_code(parts[0]);
  if (parts[0] < 1) return std::nullopt;
  return NcclVersion{parts[0], parts[1], parts[2]};
}

std::string to_text(const NcclVersion& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

}  // namespace ringwise::knowledge
