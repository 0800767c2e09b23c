#include "transport/tcp/socket.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include <fmt/format.h>

#include "base/error.h"

namespace ringwise::transport::tcp {
namespace {

Moved result_of(ssize_t rc, bool zero_means_closed) {
  if (rc > 0) return {static_cast<std::size_t>(rc), 0};
  if (rc == 0) return {0, zero_means_closed ? Moved::kClosed : 0};
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {};
  return {0, errno};
}

}  // namespace

base::FileDescriptor open_stream(int family) {
  const int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (fd < 0 && errno == EMFILE) {
    rlimit limit{};
    base::check_rc(getrlimit(RLIMIT_NOFILE, &limit), "getrlimit(RLIMIT_NOFILE)");
    throw Error(
        ErrorKind::kRefused,
        fmt::format("no further socket: this rank may open {} files (ulimit -n)", limit.rlim_cur));
  }
  return base::FileDescriptor(base::check_rc(fd, "socket"));
}

void set_options(int fd, const SocketOptions& options) {
  const auto set = [fd](int level, int name, int value, const char* call) {
    base::check_rc(setsockopt(fd, level, name, &value, sizeof(value)), call);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1, "setsockopt(TCP_NODELAY)");
  if (options.send_buffer > 0) {
    set(SOL_SOCKET, SO_SNDBUF, options.send_buffer, "setsockopt(SO_SNDBUF)");
  }
  if (options.receive_buffer > 0) {
    set(SOL_SOCKET, SO_RCVBUF, options.receive_buffer, "setsockopt(SO_RCVBUF)");
  }
}

TcpStats tcp_stats(int fd) {
  tcp_info info{};
  socklen_t length = sizeof(info);
  base::check_rc(getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length), "getsockopt(TCP_INFO)");
  return {info.tcpi_total_retrans, static_cast<int>(info.tcpi_pmtu), info.tcpi_rtt,
          info.tcpi_unacked, info.tcpi_bytes_acked};
}

std::string congestion_control(int fd) {
  // source: Linux include/net/tcp.h TCP_CA_NAME_MAX, 16 with the final zero
  std::array<char, 17> name{};
  socklen_t length = name.size() - 1;
  base::check_rc(getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name.data(), &length),
                 "getsockopt(TCP_CONGESTION)");
  return name.data();
}

Moved try_send(int fd, std::span<const iovec> parts) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(parts.data());
  message.msg_iovlen = parts.size();
  return result_of(sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL), false);
}

Moved try_receive(int fd, std::span<iovec> parts) {
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  return result_of(recvmsg(fd, &message, MSG_DONTWAIT), true);
}

std::size_t bytes_or_throw(const Moved& moved, const Peer& peer) {
  if (moved.error == 0) return moved.bytes;
  const auto to_peer = "connection to " + peer.text();
  if (moved.error == Moved::kClosed || moved.error == ECONNRESET || moved.error == EPIPE) {
    throw peer.error(ErrorKind::kPeer, to_peer + " closed by the peer", "closed");
  }
  // The kernel gave up: by itself, or told by ARP, a route or a router.
  if (moved.error == ETIMEDOUT || moved.error == EHOSTUNREACH || moved.error == ENETUNREACH ||
      moved.error == ENETDOWN) {
    throw peer.error(
        ErrorKind::kTimeout,
        fmt::format("{} timed out: the peer no longer acknowledges what it is sent{}", to_peer,
                    moved.error == ETIMEDOUT ? std::string()
                                             : fmt::format(" ({})", base::errno_text(moved.error))),
        "unacknowledged");
  }
  throw peer.error(ErrorKind::kSystem,
                   fmt::format("{} failed: {}", to_peer, base::errno_text(moved.error)));
}

}  // namespace ringwise::transport::tcp
