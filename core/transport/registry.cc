#include "transport/registry.h"

#include <algorithm>
#include <array>

#include "transport/shm/segment.h"

namespace ringwise::transport {

std::span<const Transport> transports() {
  static const std::array kRows{
      Transport{"tcp", "TCP sockets, split as NCCL's socket transport splits them",
                [] { return Availability{}; }},
      Transport{"shm", "shared memory between the ranks of one host",
                [] {
                  const auto reason = shm::why_unusable();
                  return Availability{reason.empty(), reason};
                }},
  };
  return kRows;
}

const Transport* find_transport(std::string_view name) {
  const auto rows = transports();
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Transport& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace ringwise::transport
