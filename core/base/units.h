// Sizes, rates and durations as people write them. GB = 10^9 bytes, GiB = 2^30 bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"

namespace ringwise::base {

/// Bytes from "8", "64K", "4M", "1G", "4MiB" (powers of two: as nccl-tests reads them) or "4MB",
/// "1GB" (powers of ten). Empty when the text is anything else, zero included, or does not fit.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// A duration from "20s", "500ms", "2m", "1h", or a bare number of seconds. Empty when it is
/// anything else, negative, zero or longer than a week.
std::optional<Nanoseconds> parse_duration(std::string_view text);

/// "8 B", "64 KiB", "1.5 MiB": the largest binary unit, at most two decimals.
std::string format_bytes(std::uint64_t bytes);

/// "12.3 us", "4.56 ms", "1.20 s" from microseconds, three significant digits.
std::string format_us(double microseconds);

/// A whole decimal number that fills the text, empty otherwise.
std::optional<std::int64_t> parse_int(std::string_view text);

/// Cuts at every `separator`; empty parts are kept. An empty text gives no parts.
std::vector<std::string> split(std::string_view text, char separator);

/// Without blanks, tabs and line ends at both ends.
std::string_view trim(std::string_view text);

/// Parts joined by `separator`.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Text from outside made safe for a terminal: control characters become "\xNN", bad UTF-8 too, and
/// characters that are not seen and reorder or hide others.
std::string printable(std::string_view text);

}  // namespace ringwise::base
