#include "transport/transport.h"

#include <fmt/format.h>

namespace ringwise::transport {

std::string Peer::text() const {
  auto name = fmt::format("rank {}", rank);
  if (!host.empty()) name += fmt::format(" ({})", host);
  if (!interface.empty()) name += fmt::format(" over {}", interface);
  return name;
}

PlacedError Peer::error(ErrorKind kind, const std::string& text, const char* sign) const {
  ErrorPlace place;
  place.peer = rank;
  if (!interface.empty()) place.interface = interface;
  if (step && !step->empty()) place.step = *step;
  if (sign != nullptr) place.sign = sign;
  return {kind, text, std::move(place)};
}

}  // namespace ringwise::transport
