// An IPv4 or IPv6 address with a port, as sockets take it and as ranks exchange it.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ringwise::transport::tcp {

class SocketAddress {
 public:
  SocketAddress() = default;
  /// `host` is numeric, IPv6 without brackets, its "%scope" optional. `scope_id` is the index of
  /// the own interface, for link-local addresses without a scope. Empty when it is no address.
  static std::optional<SocketAddress> make(std::string_view host, std::uint16_t port,
                                           std::uint32_t scope_id = 0);
  /// From text(). A scope is the own interface's, never the peer's.
  static std::optional<SocketAddress> parse(std::string_view text, std::uint32_t scope_id = 0);
  /// The address that `fd` is bound to. Throws Error(kSystem).
  static SocketAddress of_socket(int fd);

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  [[nodiscard]] socklen_t length() const { return length_; }
  /// AF_INET or AF_INET6; AF_UNSPEC when empty
  [[nodiscard]] int family() const { return storage_.ss_family; }
  /// "inet" or "inet6"
  [[nodiscard]] const char* family_name() const { return family() == AF_INET6 ? "inet6" : "inet"; }
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] SocketAddress with_port(std::uint16_t port) const;
  /// "10.0.0.1:4567" or "[fe80::1]:4567", without scope.
  [[nodiscard]] std::string text() const;

 private:
  sockaddr_storage storage_{};
  socklen_t length_ = 0;
};

}  // namespace ringwise::transport::tcp
