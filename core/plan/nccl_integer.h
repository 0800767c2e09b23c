// Integers of NCCL_* variables, read the way NCCL reads them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ringwise::plan {

/// Names and values of environment variables, as NCCL would find them.
using Environment = std::map<std::string, std::string>;

struct NcclInteger {
  std::int64_t value = 0;
  bool is_set = false;  ///< false: `value` is the default
  /// How the text was read, when a person would read it otherwise ("4M" is 4); empty when not.
  std::string note;
};

/// Source: NCCL 2.30.7 src/misc/param.cc (ncclLoadParam): strtoll with base 0 and no check for
/// characters left over, so "0x10" is 16, "010" is 8, "4M" is 4 and "abc" is 0. Empty counts as
/// unset, and what does not fit into 64 bits gives the default.
[[nodiscard]] NcclInteger nccl_integer(const std::optional<std::string>& text,
                                       std::int64_t default_value);

/// The variable `name` of `environment` read by nccl_integer; the note starts with NAME=VALUE.
[[nodiscard]] NcclInteger nccl_integer(const Environment& environment, std::string_view name,
                                       std::int64_t default_value);

/// The text of a variable; absent when it is not there.
[[nodiscard]] std::optional<std::string> variable(const Environment& environment,
                                                  std::string_view name);

}  // namespace ringwise::plan
