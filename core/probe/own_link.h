// Whether a failure between ranks lies with this host's own interface: looked at before a peer is
// named.
#pragma once

#include <string>
#include <vector>

#include "model/host.h"
#include "probe/run_one.h"
#include "probe/stage.h"

namespace ringwise::probe {

/// What has become of an interface that was measured over: "net1 is down", "net1 has no carrier",
/// "net1 has lost its address 10.0.0.2"; empty = it is as it was.
[[nodiscard]] std::string link_fault(const LocalEnd& end,
                                     const std::vector<model::Interface>& interfaces);

/// The first fault among this rank's ends, or of the one that is called `interface`. Reads this
/// host's interfaces; empty = none was seen.
[[nodiscard]] std::string own_link_fault(const StageContext& context,
                                         const std::optional<std::string>& interface);

/// The failure with this host's own interface as its cause, where that is at fault: then no peer is
/// named. Wrong data and wrong paths are not due to it.
[[nodiscard]] Failure with_own_link(const StageContext& context, Failure failure);

}  // namespace ringwise::probe
