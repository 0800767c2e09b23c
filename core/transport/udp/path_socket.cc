#include "transport/udp/path_socket.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

namespace ringwise::transport::udp {
namespace {

/// IP and UDP headers without options. source: RFC 791, RFC 8200, RFC 768
constexpr int kHeadersInet = 20 + 8;
constexpr int kHeadersInet6 = 40 + 8;
/// Read in one call of receive() at most, so that a flood cannot hold the caller.
constexpr int kMostDatagrams = 256;

int headers(int family) {
  return family == AF_INET6 ? kHeadersInet6 : kHeadersInet;
}

base::FileDescriptor open_datagram(int family) {
  return base::FileDescriptor(
      socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_UDP));
}

bool set(int fd, int level, int name, int value) {
  return setsockopt(fd, level, name, &value, sizeof value) == 0;
}

/// DF on every packet, and its size checked against the interface only. source: ip(7), ipv6(7)
bool forbid_fragments(int fd, int family) {
  if (family == AF_INET) return set(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
  return set(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE) &&
         set(fd, IPPROTO_IPV6, IPV6_DONTFRAG, 1);
}

bool bind_to(int fd, const tcp::SocketAddress& local) {
  const auto any_port = local.with_port(0);
  return bind(fd, any_port.get(), any_port.length()) == 0;
}

}  // namespace

RouteMtu route_mtu(const tcp::SocketAddress& local, const tcp::SocketAddress& remote) {
  const auto fd = open_datagram(local.family());
  if (!fd.is_open() || !bind_to(fd.get(), local) ||
      connect(fd.get(), remote.get(), remote.length()) != 0) {
    return {std::nullopt, errno};
  }
  const bool is_inet6 = local.family() == AF_INET6;
  int bytes = 0;
  socklen_t length = sizeof bytes;
  if (getsockopt(fd.get(), is_inet6 ? IPPROTO_IPV6 : IPPROTO_IP, is_inet6 ? IPV6_MTU : IP_MTU,
                 &bytes, &length) != 0) {
    return {std::nullopt, errno};
  }
  return {bytes, 0};
}

std::optional<PathSocket> PathSocket::open(const tcp::SocketAddress& local, const tcp::Token& token,
                                           int& error) {
  auto fd = open_datagram(local.family());
  if (!fd.is_open() || !forbid_fragments(fd.get(), local.family()) || !bind_to(fd.get(), local)) {
    error = errno;
    return std::nullopt;
  }
  const auto port = tcp::SocketAddress::of_socket(fd.get()).port();
  return PathSocket(std::move(fd), port, local.family(), token);
}

int PathSocket::smallest() const {
  return headers(family_) + static_cast<int>(tcp::kHelloBytes);
}

int PathSocket::send(const tcp::SocketAddress& to, const tcp::ConnectionId& id, int bytes) {
  tcp::ConnectionId with_size = id;
  with_size.socket = static_cast<std::uint32_t>(bytes);
  const auto hello = tcp::encode_hello(token_, with_size);
  std::vector<std::byte> data(
      static_cast<std::size_t>(std::max(bytes, smallest()) - headers(family_)));
  std::copy(hello.begin(), hello.end(), data.begin());
  const auto rc = sendto(fd_.get(), data.data(), data.size(), MSG_DONTWAIT | MSG_NOSIGNAL, to.get(),
                         to.length());
  return rc < 0 ? errno : 0;
}

std::vector<int> PathSocket::receive(const tcp::ConnectionId& id) {
  std::vector<int> sizes;
  for (int i = 0; i < kMostDatagrams; ++i) {
    tcp::Hello hello{};
    // With MSG_TRUNC the length is the datagram's, of which only the hello is read.
    const auto length = recv(fd_.get(), hello.data(), hello.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (length < 0) continue;  // an ICMP error of what was sent before: nothing came
    const auto bytes = static_cast<std::uint32_t>(length + headers(family_));
    const bool is_whole = static_cast<std::size_t>(length) >= tcp::kHelloBytes;
    const auto said = is_whole ? tcp::decode_hello(token_, hello) : std::nullopt;
    tcp::ConnectionId expected = id;
    expected.socket = bytes;
    if (said == expected) {
      sizes.push_back(static_cast<int>(bytes));
    } else {
      ++strays_;
    }
  }
  return sizes;
}

}  // namespace ringwise::transport::udp
