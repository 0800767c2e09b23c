// What is done to one TCP socket: make it, move bytes without waiting, ask the kernel about it.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/handle.h"
#include "transport/tcp/address.h"
#include "transport/transport.h"

namespace ringwise::transport::tcp {

struct SocketOptions {
  int send_buffer = 0;     ///< NCCL_SOCKET_SNDBUF, bytes; only set above 0, as NCCL does
  int receive_buffer = 0;  ///< NCCL_SOCKET_RCVBUF
};

/// What the kernel knows of a connection. source: tcp(7) TCP_INFO
struct TcpStats {
  std::uint64_t retransmits = 0;  ///< segments, since the connection began
  int path_mtu = 0;               ///< bytes
  std::uint32_t rtt_us = 0;       ///< smoothed
  std::uint32_t unacked = 0;      ///< segments sent and not acknowledged
  std::uint64_t acked_bytes = 0;  ///< since the connection began
};

/// A non-blocking stream socket that children do not inherit. Throws Error(kSystem).
[[nodiscard]] base::FileDescriptor open_stream(int family);
/// TCP_NODELAY, and the buffers where asked for. Before connect or listen. Throws Error(kSystem).
void set_options(int fd, const SocketOptions& options);
[[nodiscard]] TcpStats tcp_stats(int fd);
/// The congestion control that this connection uses: "cubic". Throws Error(kSystem).
[[nodiscard]] std::string congestion_control(int fd);

/// Result of one attempt to move bytes: `error` is an errno value, 0 = fine, and then 0 bytes mean
/// that the socket would have waited; kClosed = the peer has closed.
struct Moved {
  static constexpr int kClosed = -1;
  std::size_t bytes = 0;
  int error = 0;
};
[[nodiscard]] Moved try_send(int fd, std::span<const iovec> parts);
[[nodiscard]] Moved try_receive(int fd, std::span<iovec> parts);

/// The bytes that moved; throws what `moved.error` means for this peer: kPeer when it closed or
/// reset the connection, kTimeout when it stopped acknowledging, kSystem else.
std::size_t bytes_or_throw(const Moved& moved, const Peer& peer);

}  // namespace ringwise::transport::tcp
