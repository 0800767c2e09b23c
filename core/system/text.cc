#include "system/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::system {
namespace {

constexpr std::uint64_t kMostNumbers = 1'000'000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<std::uint64_t> parse_base(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Cuts the run of digits at the start off `text`, leading zeros left out.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

/// First and last of each range.
using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Absent when it is no list or names more than kMostNumbers.
std::optional<Ranges> ranges_of(std::string_view list) {
  Ranges ranges;
  std::uint64_t count = 0;
  for (const auto& part : base::split(base::trim(list), ',')) {
    const auto dash = part.find('-');
    const auto first = parse_unsigned(std::string_view(part).substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : parse_unsigned(std::string_view(part).substr(dash + 1));
    if (!first || !last || *last < *first || *last >= kMostNumbers) return std::nullopt;
    count += *last - *first + 1;
    if (count > kMostNumbers) return std::nullopt;
    ranges.emplace_back(*first, *last);
  }
  return ranges;
}

}  // namespace

std::optional<int> count_list(std::string_view list) {
  const auto ranges = ranges_of(list);
  if (!ranges) return std::nullopt;
  std::uint64_t count = 0;
  for (const auto& [first, last] : *ranges) count += last - first + 1;
  return static_cast<int>(count);
}

std::vector<int> numbers_of_list(std::string_view list) {
  std::vector<int> numbers;
  for (const auto& [first, last] : ranges_of(list).value_or(Ranges{})) {
    for (auto number = first; number <= last; ++number) numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

std::string to_list(const std::vector<int>& numbers) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    parts.push_back(last == i ? fmt::format("{}", numbers[i])
                              : fmt::format("{}-{}", numbers[i], numbers[last]));
    i = last + 1;
  }
  return base::join(parts, ",");
}

std::optional<std::uint64_t> number_of(std::string_view text, std::string_view key) {
  for (const auto line : lines(text)) {
    const auto parts = words(line);
    if (parts.size() >= 2 && parts[0] == key) return parse_unsigned(parts[1]);
  }
  return std::nullopt;
}

std::optional<std::string> value_of(std::string_view text, std::string_view key) {
  for (const auto line : lines(text)) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || base::trim(line.substr(0, colon)) != key) continue;
    const auto value = base::trim(line.substr(colon + 1)).substr(0, 256);
    if (value.empty()) return std::nullopt;
    return base::printable(value);
  }
  return std::nullopt;
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto start = line.find_first_not_of(" \t\r");
    if (start == std::string_view::npos) return parts;
    line.remove_prefix(start);
    const auto end = std::min(line.find_first_of(" \t\r"), line.size());
    parts.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_base(text, 10);
}

std::optional<std::uint64_t> parse_hexadecimal(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return parse_base(text, 16);
}

bool is_pci_address(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon < 4 || colon > 8) return false;
  if (text.size() != colon + 8 || text[colon + 3] != ':' || text[colon + 6] != '.') return false;
  const auto is_hexadecimal = [&](std::size_t at, std::size_t count) {
    return std::ranges::all_of(text.substr(at, count), [](char c) {
      return std::isxdigit(static_cast<unsigned char>(c)) != 0;
    });
  };
  return is_hexadecimal(0, colon) && is_hexadecimal(colon + 1, 2) && is_hexadecimal(colon + 4, 2) &&
         is_hexadecimal(colon + 7, 1);
}

bool is_pci_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;  // a long domain is a high one
}

bool is_before_by_number(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto left = take_digits(a);
      const auto right = take_digits(b);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
      continue;
    }
    if (a.front() != b.front()) return a.front() < b.front();
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // "a01" and "a1" are different names
}

}  // namespace ringwise::system
