#include "base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace ringwise::base {
namespace {

/// Number and the unit that follows it, without blanks between. Empty when there is no number.
std::optional<std::pair<double, std::string_view>> number_and_unit(std::string_view text) {
  double value = 0;
  const auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (code != std::errc{} || !std::isfinite(value) || value <= 0) return std::nullopt;
  return std::pair{value, trim(text.substr(static_cast<std::size_t>(end - text.data())))};
}

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  std::size_t length = 0;
  if (lead < 0x80) length = 1;
  if (lead >= 0xC2 && lead < 0xE0) length = 2;
  if (lead >= 0xE0 && lead < 0xF0) length = 3;
  if (lead >= 0xF0 && lead < 0xF5) length = 4;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  // Longer than needed, surrogates, and beyond U+10FFFF are no UTF-8.
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) >= 0xA0) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) >= 0x90) return 0;
  // C1 controls (U+0080 to U+009F) act on terminals like ESC sequences.
  if (length == 2 && lead == 0xC2 && byte(1) < 0xA0) return 0;
  return length;
}

}  // namespace

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  const auto parsed = number_and_unit(trim(text));
  if (!parsed) return std::nullopt;
  static constexpr std::array<std::pair<std::string_view, double>, 14> kUnits{{
      {"", 1},
      {"B", 1},
      {"K", 1024.0},
      {"KiB", 1024.0},
      {"KB", 1e3},
      {"M", 1048576.0},
      {"MiB", 1048576.0},
      {"MB", 1e6},
      {"G", 1073741824.0},
      {"GiB", 1073741824.0},
      {"GB", 1e9},
      {"k", 1024.0},
      {"m", 1048576.0},
      {"g", 1073741824.0},
  }};
  for (const auto& [unit, factor] : kUnits) {
    if (parsed->second != unit) continue;
    const double bytes = parsed->first * factor;
    if (bytes < 1 || bytes > 9e15 || bytes != std::floor(bytes)) return std::nullopt;
    return static_cast<std::uint64_t>(bytes);
  }
  return std::nullopt;
}

std::optional<Nanoseconds> parse_duration(std::string_view text) {
  const auto parsed = number_and_unit(trim(text));
  if (!parsed) return std::nullopt;
  static constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
      {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}}};
  for (const auto& [unit, factor] : kUnits) {
    if (parsed->second != unit) continue;
    const double seconds = parsed->first * factor;
    if (seconds < 1e-3 || seconds > 7 * 86400.0) return std::nullopt;
    return from_seconds(seconds);
  }
  return std::nullopt;
}

std::string format_bytes(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  if (value == std::floor(value)) return fmt::format("{:.0f} {}", value, kUnits[unit]);
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : 1, kUnits[unit]);
}

std::string format_us(double microseconds) {
  static constexpr std::array<std::pair<double, std::string_view>, 3> kUnits{
      {{1, "us"}, {1e3, "ms"}, {1e6, "s"}}};
  auto unit = kUnits[0];
  for (const auto& candidate : kUnits) {
    if (microseconds >= candidate.first) unit = candidate;
  }
  const double value = microseconds / unit.first;
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, unit.second);
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  std::size_t start = 0;
  while (true) {
    const auto end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

namespace {

/// Characters that show nothing and change how what is around them shows: direction marks,
/// overrides and isolates, zero-width characters, line and paragraph separator, byte order mark
/// (source: Unicode Technical Report 36, section 2.10, and Unicode Standard Annex 9).
bool is_unseen(std::string_view character) {
  if (character == "\xd8\x9c" || character == "\xef\xbb\xbf") return true;  // U+061C, U+FEFF
  if (character.size() != 3 || character[0] != '\xe2') return false;
  const auto second = static_cast<unsigned char>(character[1]);
  const auto third = static_cast<unsigned char>(character[2]);
  if (second == 0x80) return (third >= 0x8b && third <= 0x8f) || (third >= 0xa8 && third <= 0xae);
  return second == 0x81 && third >= 0xa0 && third <= 0xaf;  // U+2060 to U+206F
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t length = utf8_length(text);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
      text.remove_prefix(1);
    } else if (is_unseen(text.substr(0, length))) {
      for (const char c : text.substr(0, length)) {
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      }
      text.remove_prefix(length);
    } else {
      out.append(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return out;
}

}  // namespace ringwise::base
