#include "system/tcp.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "system/text.h"

namespace ringwise::system {
namespace {

/// The word at `place` of the first line, where it is a number. Tabs stand between the words.
std::optional<std::uint64_t> number_at(const SysRoot& root, const char* path, std::size_t place) {
  const auto text = root.read(path, 256);
  if (!text) return std::nullopt;
  const auto first = std::string_view(*text).substr(0, text->find('\n'));
  const auto cells = words(first);
  return place < cells.size() ? parse_unsigned(cells[place]) : std::nullopt;
}

}  // namespace

model::TcpLimits read_tcp_limits(const SysRoot& root) {
  model::TcpLimits limits;
  limits.rmem_max_bytes = number_at(root, "/proc/sys/net/core/rmem_max", 0);
  limits.wmem_max_bytes = number_at(root, "/proc/sys/net/core/wmem_max", 0);
  // minimum, default, maximum. source: Linux Documentation/networking/ip-sysctl.rst
  limits.tcp_rmem_max_bytes = number_at(root, "/proc/sys/net/ipv4/tcp_rmem", 2);
  limits.tcp_wmem_max_bytes = number_at(root, "/proc/sys/net/ipv4/tcp_wmem", 2);
  const auto probing = number_at(root, "/proc/sys/net/ipv4/tcp_mtu_probing", 0);
  if (probing && *probing <= 2) limits.mtu_probing = static_cast<int>(*probing);
  return limits;
}

}  // namespace ringwise::system
