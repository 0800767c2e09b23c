// Versions of NCCL, as its facts are bound to them.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace ringwise::knowledge {

struct NcclVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;

  friend auto operator<=>(const NcclVersion&, const NcclVersion&) = default;
};

/// Newest release whose sources these facts were read from.
inline constexpr NcclVersion kNewestKnown{2, 30, 7};

/// From "2.28.9", "2.28", "v2.28.9-1", "2.28.9+cuda13.0" or the number that ncclGetVersion gives
/// ("22809"; "2804" before 2.9). Empty when the text is none of these.
[[nodiscard]] std::optional<NcclVersion> parse_nccl_version(std::string_view text);

/// "2.28.9".
[[nodiscard]] std::string to_text(const NcclVersion& version);

}  // namespace ringwise::knowledge
