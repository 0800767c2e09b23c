#include "probe/own_link.h"

#include <algorithm>

#include <fmt/format.h>

#include "system/interfaces.h"
#include "system/sysroot.h"

namespace ringwise::probe {

std::string link_fault(const LocalEnd& end, const std::vector<model::Interface>& interfaces) {
  const auto found = std::find_if(interfaces.begin(), interfaces.end(), [&](const auto& interface) {
    return interface.name == end.interface;
  });
  if (found == interfaces.end()) return fmt::format("{} is gone", end.interface);
  if (!found->is_up) return fmt::format("{} is down", end.interface);
  if (!found->is_running) return fmt::format("{} has no carrier", end.interface);
  const bool has_address =
      std::any_of(found->addresses.begin(), found->addresses.end(),
                  [&](const model::Address& address) { return address.address == end.address; });
  if (!has_address) return fmt::format("{} has lost its address {}", end.interface, end.address);
  return {};
}

std::string own_link_fault(const StageContext& context,
                           const std::optional<std::string>& interface) {
  if (context.ends.empty()) return {};
  std::vector<std::string> unread;
  const auto interfaces = system::read_interfaces(system::SysRoot{}, unread);
  // What cannot be read is no fault of a link.
  if (interfaces.empty()) return {};
  for (const auto& end : context.ends) {
    if (interface && *interface != end.interface) continue;
    if (auto fault = link_fault(end, interfaces); !fault.empty()) return fault;
  }
  return {};
}

Failure with_own_link(const StageContext& context, Failure failure) {
  const auto& sign = failure.place.sign;
  if (sign == "wrong-data" || sign == "wrong-path") return failure;
  const auto fault = own_link_fault(context, failure.place.interface);
  if (fault.empty()) return failure;
  failure.text = fmt::format("{} on this host; {}", fault, failure.text);
  failure.place.sign = "link-down";
  failure.place.peer.reset();
  return failure;
}

}  // namespace ringwise::probe
