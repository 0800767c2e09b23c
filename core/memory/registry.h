// Every kind of memory that a measurement can use.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "memory/buffer.h"

namespace ringwise::memory {

struct Availability {
  bool usable = true;
  std::string reason;  ///< why not
};

struct Memory {
  std::string_view name;
  std::string_view summary;
  Availability (*available)();
  /// Throws Error(kRefused) when there is not enough of it.
  Buffer (*allocate)(std::size_t bytes);
};

[[nodiscard]] std::span<const Memory> memories();
[[nodiscard]] const Memory* find_memory(std::string_view name);

}  // namespace ringwise::memory
