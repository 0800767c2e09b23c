#include "transport/tcp/address.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

#include <array>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"

namespace ringwise::transport::tcp {
namespace {

sockaddr_in& as_inet(sockaddr_storage& storage) {
  return reinterpret_cast<sockaddr_in&>(storage);
}
sockaddr_in6& as_inet6(sockaddr_storage& storage) {
  return reinterpret_cast<sockaddr_in6&>(storage);
}
const sockaddr_in& as_inet(const sockaddr_storage& storage) {
  return reinterpret_cast<const sockaddr_in&>(storage);
}
const sockaddr_in6& as_inet6(const sockaddr_storage& storage) {
  return reinterpret_cast<const sockaddr_in6&>(storage);
}

}  // namespace

std::optional<SocketAddress> SocketAddress::make(std::string_view host, std::uint16_t port,
                                                 std::uint32_t scope_id) {
  SocketAddress address;
  const std::string text(host.substr(0, host.find('%')));
  if (auto& inet = as_inet(address.storage_);
      inet_pton(AF_INET, text.c_str(), &inet.sin_addr) == 1 && text.size() == host.size()) {
    inet.sin_family = AF_INET;
    inet.sin_port = htons(port);
    address.length_ = sizeof(sockaddr_in);
    return address;
  }
  auto& inet6 = as_inet6(address.storage_);
  address.storage_ = {};
  if (inet_pton(AF_INET6, text.c_str(), &inet6.sin6_addr) != 1) return std::nullopt;
  inet6.sin6_family = AF_INET6;
  inet6.sin6_port = htons(port);
  address.length_ = sizeof(sockaddr_in6);
  if (IN6_IS_ADDR_LINKLOCAL(&inet6.sin6_addr)) {
    inet6.sin6_scope_id = scope_id;
    if (text.size() != host.size()) {
      const std::string scope(host.substr(text.size() + 1));
      const auto number = base::parse_int(scope);
      inet6.sin6_scope_id =
          number ? static_cast<std::uint32_t>(*number) : if_nametoindex(scope.c_str());
      if (inet6.sin6_scope_id == 0) return std::nullopt;
    }
  }
  return address;
}

std::optional<SocketAddress> SocketAddress::parse(std::string_view text, std::uint32_t scope_id) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto port = base::parse_int(text.substr(colon + 1));
  if (!port || *port < 0 || *port > 65535) return std::nullopt;
  auto host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  return make(host, static_cast<std::uint16_t>(*port), scope_id);
}

SocketAddress SocketAddress::of_socket(int fd) {
  SocketAddress address;
  address.length_ = sizeof(address.storage_);
  base::check_rc(getsockname(fd, reinterpret_cast<sockaddr*>(&address.storage_), &address.length_),
                 "getsockname");
  return address;
}

std::uint16_t SocketAddress::port() const {
  return ntohs(family() == AF_INET6 ? as_inet6(storage_).sin6_port : as_inet(storage_).sin_port);
}

SocketAddress SocketAddress::with_port(std::uint16_t port) const {
  SocketAddress other = *this;
  if (family() == AF_INET6) {
    as_inet6(other.storage_).sin6_port = htons(port);
  } else {
    as_inet(other.storage_).sin_port = htons(port);
  }
  return other;
}

std::string SocketAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> host{};
  if (family() == AF_INET6) {
    inet_ntop(AF_INET6, &as_inet6(storage_).sin6_addr, host.data(), host.size());
    return fmt::format("[{}]:{}", host.data(), port());
  }
  inet_ntop(AF_INET, &as_inet(storage_).sin_addr, host.data(), host.size());
  return fmt::format("{}:{}", host.data(), port());
}

}  // namespace ringwise::transport::tcp
