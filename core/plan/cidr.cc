#include "plan/cidr.h"

#include <array>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/units.h"

namespace ringwise::plan {
namespace {

std::optional<Cidr> parse_address(std::string_view text) {
  const std::string name(text);
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET6, name.c_str(), bytes.data()) == 1) {
    return Cidr{"inet6", {bytes.begin(), bytes.end()}, 128};
  }
  in_addr v4{};
  if (name.empty() || inet_aton(name.c_str(), &v4) == 0) return std::nullopt;
  std::memcpy(bytes.data(), &v4, sizeof v4);
  return Cidr{"inet", {bytes.begin(), bytes.begin() + 4}, 32};
}

}  // namespace

std::optional<Cidr> parse_cidr(std::string_view text) {
  const auto slash = text.find('/');
  auto cidr = parse_address(text.substr(0, slash));
  if (!cidr || slash == std::string_view::npos) return cidr;
  const auto bits = base::parse_int(text.substr(slash + 1));
  std::array<unsigned char, 4> v4{};
  const bool is_full =
      cidr->family == "inet6" ||
      inet_pton(AF_INET, std::string(text.substr(0, slash)).c_str(), v4.data()) == 1;
  if (!bits || *bits < 0 || *bits > cidr->prefix_length || !is_full) return std::nullopt;
  cidr->prefix_length = static_cast<int>(*bits);
  return cidr;
}

bool contains(const Cidr& network, std::string_view address) {
  const auto other = parse_address(address);
  if (!other || other->family != network.family) return false;
  int left = network.prefix_length;
  for (std::size_t i = 0; i < network.bytes.size() && left > 0; ++i, left -= 8) {
    const unsigned mask = left >= 8 ? 0xFFU : (0xFFU << static_cast<unsigned>(8 - left)) & 0xFFU;
    if (((network.bytes[i] ^ other->bytes[i]) & mask) != 0) return false;
  }
  return true;
}

}  // namespace ringwise::plan
