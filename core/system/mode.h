// Which network a host or pod is on: the node's own, an overlay, or a secondary network.
#pragma once

#include <string_view>

#include "model/host.h"
#include "model/record.h"

namespace ringwise::system {

/// `detected` is one of "host" (the node's own network), "overlay-tunnel" (a pod's veth whose MTU
/// leaves room for a tunnel header), "multus-macvlan", "multus-ipvlan" and "multus-ipoib" (a
/// secondary interface of that kind), and absent where the evidence does not decide. `evidence`
/// has a line for every fact that was looked at and found, in the order of its weight; `label`
/// stays empty.
///
/// `interface` is the interface that is measured: of a pod with several networks, its kind
/// decides. Without it, a secondary interface decides before the default one.
[[nodiscard]] model::Mode detect_mode(const model::Host& host, std::string_view interface = {});

}  // namespace ringwise::system
