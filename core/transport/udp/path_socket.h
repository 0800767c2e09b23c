// Single IP packets of chosen sizes between two ranks, never fragmented: which of them arrive?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/handle.h"
#include "transport/tcp/address.h"
#include "transport/tcp/hello.h"

namespace ringwise::transport::udp {

/// What the kernel takes for the MTU of the path, in bytes, or why it does not say (errno). Asks a
/// connected socket and sends nothing.
struct RouteMtu {
  std::optional<int> bytes;
  int error = 0;
};
[[nodiscard]] RouteMtu route_mtu(const tcp::SocketAddress& local, const tcp::SocketAddress& remote);

/// A UDP socket on one local address. Its packets carry the run's token and what they are for, in
/// the form of a hello whose `socket` is the packet's size.
class PathSocket {
 public:
  /// On a port that the kernel chooses. Absent with the errno in `error` when the kernel refuses.
  [[nodiscard]] static std::optional<PathSocket> open(const tcp::SocketAddress& local,
                                                      const tcp::Token& token, int& error);

  [[nodiscard]] int fd() const { return fd_.get(); }
  /// That the peer sends to.
  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// Sends one IP packet of `bytes`, headers included and at least smallest(), up to the MTU of the
  /// interface whatever the route says. 0, or the errno: EMSGSIZE = the interface takes no such
  /// packet.
  [[nodiscard]] int send(const tcp::SocketAddress& to, const tcp::ConnectionId& id, int bytes);

  /// Sizes of the packets of `id` that came, without waiting. Everything else is dropped and
  /// counted. `id.socket` does not matter.
  [[nodiscard]] std::vector<int> receive(const tcp::ConnectionId& id);

  /// Bytes of a packet with nothing but the headers and the hello.
  [[nodiscard]] int smallest() const;
  /// Datagrams that were not ours so far.
  [[nodiscard]] std::uint64_t strays() const { return strays_; }

 private:
  PathSocket(base::FileDescriptor fd, std::uint16_t port, int family, const tcp::Token& token)
      : fd_(std::move(fd)), port_(port), family_(family), token_(token) {}

  base::FileDescriptor fd_;
  std::uint16_t port_;
  int family_;  ///< AF_INET or AF_INET6
  tcp::Token token_;
  std::uint64_t strays_ = 0;
};

}  // namespace ringwise::transport::udp
