// Every transport that this build knows, usable here or not.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ringwise::transport {

struct Availability {
  bool usable = true;
  std::string reason;  ///< why not
};

struct Transport {
  std::string_view name;
  std::string_view summary;
  Availability (*available)();
};

[[nodiscard]] std::span<const Transport> transports();
[[nodiscard]] const Transport* find_transport(std::string_view name);

}  // namespace ringwise::transport
