// How large packets may be on the way between the two ranks of a pair.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/deadline.h"
#include "model/record.h"
#include "probe/pair_link.h"
#include "transport/tcp/address.h"
#include "transport/tcp/hello.h"

namespace ringwise::probe {

/// The two ends, as this one sees them; ports do not matter.
struct PathEnds {
  transport::tcp::SocketAddress local;
  transport::tcp::SocketAddress remote;
  transport::tcp::Token token;
  /// Of this pair, the same on both ends but for `source`: the rank at this end.
  transport::tcp::ConnectionId id;
  std::optional<int> device_mtu;  ///< of this end's interface, bytes
};

struct PathTimes {
  base::Nanoseconds limit = std::chrono::seconds(1);  ///< for the search of both directions
  /// A packet without an answer for so long, or four round trips, has not arrived.
  base::Nanoseconds patience = std::chrono::milliseconds(30);
  base::Nanoseconds most_patience = std::chrono::milliseconds(200);
  /// The same for sizes that the kernel would not send: a healthy pair waits for these.
  base::Nanoseconds short_patience = std::chrono::milliseconds(3);
};

struct PathFindings {
  model::PathMtu forward;    ///< from this rank to the peer
  model::PathMtu backward;   ///< from the peer: its route_mtu and forward_mtu only
  std::uint64_t strays = 0;  ///< datagrams that were not ours
};

/// Sends UDP packets to the peer, which answers over the pair's connection, and answers the peer's;
/// both at once. Both ends call it at the same place. What cannot be found has a reason; throws
/// PlacedError only when the connection itself fails or the peer stays silent.
[[nodiscard]] PathFindings probe_path(PairLink& link, const PathEnds& ends,
                                      const PathTimes& times = {});

}  // namespace ringwise::probe
