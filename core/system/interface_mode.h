// Which class of network one interface is on.
#pragma once

#include <string>
#include <string_view>

#include "model/host.h"
#include "system/scene.h"

namespace ringwise::system {

struct InterfaceMode {
  std::string mode;  ///< one of those of detect_mode
  std::string why;   ///< a sentence that begins with the interface's name
};

/// `interface` is one of `scene.host`.
[[nodiscard]] InterfaceMode interface_mode(const Scene& scene, const model::Interface& interface);

/// Sets `mode` of every interface that has an address, and of `subject`; never of loopback.
void classify_interfaces(model::Host& host, std::string_view subject = {});

}  // namespace ringwise::system
