#include "plan/sizes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::plan {
namespace {

constexpr std::uint64_t kElementBytes = 4;  // float32
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 30U;
constexpr std::size_t kMostSizes = 256;

/// Sets `error` and gives nothing when the text is no size that can be measured.
std::optional<std::uint64_t> read_size(const char* option, const std::string& text,
                                       std::string& error) {
  const auto bytes = base::parse_bytes(text);
  if (!bytes) {
    error = fmt::format("{}: '{}' is no size (8, 64K, 4M, 1G)", option, base::printable(text));
  } else if (*bytes % kElementBytes != 0) {
    error = fmt::format("{}: {} bytes are no whole number of float32 elements (multiples of {})",
                        option, *bytes, kElementBytes);
  } else if (*bytes > kMostBytes) {
    error = fmt::format("{}: {} is more than {}", option, base::printable(text),
                        base::format_bytes(kMostBytes));
  }
  return error.empty() ? bytes : std::nullopt;
}

std::optional<double> read_factor(const std::string& text, std::string& error) {
  if (text.empty()) return 2;
  double factor = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, factor, std::chars_format::fixed);
  if (code == std::errc{} && stop == end && std::isfinite(factor) && factor >= 1.1) return factor;
  error = fmt::format("--factor: '{}' is no number of at least 1.1", base::printable(text));
  return std::nullopt;
}

SizeList failed(std::string error) {
  return {{}, std::move(error)};
}

SizeList from_list(const std::vector<std::string>& texts) {
  SizeList list;
  for (const auto& text : texts) {
    const auto bytes = read_size("--sizes", text, list.error);
    if (!bytes) return failed(list.error);
    list.sizes.push_back(*bytes);
  }
  std::sort(list.sizes.begin(), list.sizes.end());
  list.sizes.erase(std::unique(list.sizes.begin(), list.sizes.end()), list.sizes.end());
  if (list.sizes.size() > kMostSizes) {
    return failed(fmt::format("--sizes: {} sizes, at most {} can be measured in one run",
                              list.sizes.size(), kMostSizes));
  }
  return list;
}

SizeList from_range(const SizeOptions& options) {
  std::string error;
  const auto low =
      read_size("--min-bytes", options.min_bytes.empty() ? "8" : options.min_bytes, error);
  if (!low) return failed(error);
  const auto high =
      read_size("--max-bytes", options.max_bytes.empty() ? "64M" : options.max_bytes, error);
  if (!high) return failed(error);
  const auto factor = read_factor(options.factor, error);
  if (!factor) return failed(error);
  if (*low > *high) {
    return failed(fmt::format("--min-bytes {} is more than --max-bytes {}",
                              base::format_bytes(*low), base::format_bytes(*high)));
  }
  SizeList list;
  for (auto exact = static_cast<double>(*low); exact <= static_cast<double>(*high);
       exact *= *factor) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(exact) / kElementBytes * kElementBytes;
    if (list.sizes.empty() || bytes > list.sizes.back()) list.sizes.push_back(bytes);
    if (list.sizes.size() > kMostSizes) {
      return failed(fmt::format("--factor {} gives more than {} sizes",
                                base::printable(options.factor), kMostSizes));
    }
  }
  return list;
}

}  // namespace

std::vector<std::uint64_t> default_sizes() {
  return {8, 1U << 10U, 16U << 10U, 256U << 10U, 1U << 20U, 4U << 20U, 16U << 20U, 64U << 20U};
}

SizeList parse_sizes(const SizeOptions& options) {
  const bool has_range =
      !options.min_bytes.empty() || !options.max_bytes.empty() || !options.factor.empty();
  if (!options.sizes.empty()) {
    if (has_range) {
      return failed("--sizes cannot be combined with --min-bytes, --max-bytes or --factor");
    }
    return from_list(options.sizes);
  }
  if (has_range) return from_range(options);
  return {default_sizes(), ""};
}

}  // namespace ringwise::plan
