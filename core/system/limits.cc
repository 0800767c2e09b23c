#include "system/limits.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string_view>

#include "system/text.h"

namespace ringwise::system {
namespace {

struct Limit {
  bool is_unlimited = false;
  std::uint64_t value = 0;
};

std::optional<Limit> parse_limit(std::string_view text) {
  if (text == "unlimited") return Limit{.is_unlimited = true};
  const auto value = parse_unsigned(text);
  return value ? std::optional(Limit{.value = *value}) : std::nullopt;
}

struct Pair {
  Limit soft;
  Limit hard;
};

/// "Max locked memory         8388608              unlimited            bytes"
std::optional<Pair> find_limit(std::string_view text, std::string_view name) {
  for (const auto line : lines(text)) {
    if (!line.starts_with(name)) continue;
    const auto cells = words(line.substr(name.size()));
    if (cells.size() < 2) return std::nullopt;
    const auto soft = parse_limit(cells[0]);
    const auto hard = parse_limit(cells[1]);
    return soft && hard ? std::optional(Pair{*soft, *hard}) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> soft_value(std::string_view text, std::string_view name) {
  const auto limit = find_limit(text, name);
  if (!limit || limit->soft.is_unlimited) return std::nullopt;
  return limit->soft.value;
}

bool is_hexadecimal(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

}  // namespace

model::Limits read_limits(const SysRoot& root, std::vector<std::string>& problems) {
  model::Limits limits;
  const auto text = root.read("/proc/self/limits").value_or("");
  if (const auto locked = find_limit(text, "Max locked memory")) {
    limits.is_memlock_unlimited = locked->soft.is_unlimited;
    if (!locked->soft.is_unlimited) limits.memlock_soft_bytes = locked->soft.value;
    if (!locked->hard.is_unlimited) limits.memlock_hard_bytes = locked->hard.value;
  } else {
    problems.emplace_back("limits: /proc/self/limits does not say how much memory may be locked");
  }
  limits.open_files = soft_value(text, "Max open files");
  limits.processes = soft_value(text, "Max processes");
  if (const auto status = root.read("/proc/self/status")) {
    const auto capabilities = value_of(*status, "CapEff");
    if (capabilities && is_hexadecimal(*capabilities)) limits.effective_capabilities = capabilities;
  }
  return limits;
}

}  // namespace ringwise::system
