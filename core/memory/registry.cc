#include "memory/registry.h"

#include <algorithm>
#include <array>

namespace ringwise::memory {

std::span<const Memory> memories() {
  static const std::array kRows{
      Memory{"host", "pageable memory of the process", [] { return Availability{}; },
             allocate_host},
  };
  return kRows;
}

const Memory* find_memory(std::string_view name) {
  const auto rows = memories();
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Memory& memory) { return memory.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace ringwise::memory
