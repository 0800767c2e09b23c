// Small readers of the text formats that the kernel uses in /proc and /sys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringwise::system {

/// How many numbers a list such as "0-3,8,10-11" names; absent when it is no such list or names
/// more than a million.
[[nodiscard]] std::optional<int> count_list(std::string_view list);

/// The numbers of such a list, as they stand there; empty when it is no such list or names more
/// than a million.
[[nodiscard]] std::vector<int> numbers_of_list(std::string_view list);

/// "0-3,8" from ascending numbers.
[[nodiscard]] std::string to_list(const std::vector<int>& numbers);

/// The number after `key` in lines of "key number"; the first such line counts.
[[nodiscard]] std::optional<std::uint64_t> number_of(std::string_view text, std::string_view key);

/// What follows "key<blanks>:" in lines of "key : value", trimmed and safe to print, at most 256
/// bytes; the first such line counts. Absent when empty.
[[nodiscard]] std::optional<std::string> value_of(std::string_view text, std::string_view key);

/// Words between blanks and tabs.
[[nodiscard]] std::vector<std::string_view> words(std::string_view line);

/// Lines without their ends.
[[nodiscard]] std::vector<std::string_view> lines(std::string_view text);

/// A whole decimal number without a sign.
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text);

/// A whole hexadecimal number, "0x" before it or not.
[[nodiscard]] std::optional<std::uint64_t> parse_hexadecimal(std::string_view text);

/// True for "0000:3b:00.0" (the domain may have up to 8 digits).
[[nodiscard]] bool is_pci_address(std::string_view text);

/// Order of PCI addresses: by domain, bus, device and function.
[[nodiscard]] bool is_pci_before(std::string_view a, std::string_view b);

/// Order of names in which runs of digits compare by value.
[[nodiscard]] bool is_before_by_number(std::string_view a, std::string_view b);

}  // namespace ringwise::system
