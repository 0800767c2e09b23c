#include "transport/tcp/hello.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace ringwise::transport::tcp {
namespace {

constexpr std::array<std::byte, 8> kMagic = {std::byte{'R'}, std::byte{'I'}, std::byte{'N'},
                                             std::byte{'G'}, std::byte{'W'}, std::byte{'I'},
                                             std::byte{'S'}, std::byte{'E'}};
constexpr std::uint32_t kVersion = 1;

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void put(std::byte*& at, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) *at++ = static_cast<std::byte>(value >> shift);
}

std::uint32_t get(const std::byte*& at) {
  std::uint32_t value = 0;
  for (int shift = 0; shift < 32; shift += 8)
    value |= std::to_integer<std::uint32_t>(*at++) << shift;
  return value;
}

}  // namespace

Token parse_token(std::string_view hex) {
  Token token{};
  bool is_good = hex.size() == 2 * token.size();
  for (std::size_t i = 0; is_good && i < token.size(); ++i) {
    const int high = digit(hex[2 * i]);
    const int low = digit(hex[2 * i + 1]);
    is_good = high >= 0 && low >= 0;
    token[i] = static_cast<std::byte>(high * 16 + low);
  }
  if (!is_good) throw Error(ErrorKind::kUsage, "the run's token is not 32 hexadecimal digits");
  return token;
}

Hello encode_hello(const Token& token, const ConnectionId& id) {
  Hello hello{};
  std::byte* at = std::copy(kMagic.begin(), kMagic.end(), hello.data());
  put(at, kVersion);
  at = std::copy(token.begin(), token.end(), at);
  for (const auto value : {id.source, static_cast<std::uint32_t>(id.purpose), id.block, id.group,
                           id.channel, id.socket}) {
    put(at, value);
  }
  return hello;
}

std::optional<ConnectionId> decode_hello(const Token& token, const Hello& hello) {
  const std::byte* at = hello.data() + kMagic.size();
  const bool is_ours = may_be_hello(hello) && get(at) == kVersion;
  at = hello.data() + kMagic.size() + sizeof(kVersion);
  auto difference = std::byte{0};
  for (const auto expected : token) difference |= *at++ ^ expected;
  if (!is_ours || difference != std::byte{0}) return std::nullopt;
  ConnectionId id;
  id.source = get(at);
  id.purpose = static_cast<Purpose>(get(at));
  id.block = get(at);
  id.group = get(at);
  id.channel = get(at);
  id.socket = get(at);
  return id;
}

bool may_be_hello(std::span<const std::byte> begin) {
  const auto size = std::min(begin.size(), kMagic.size());
  return std::equal(begin.begin(), begin.begin() + static_cast<std::ptrdiff_t>(size),
                    kMagic.begin());
}

const Answer& answer() {
  static constexpr Answer kAnswer = {std::byte{'r'}, std::byte{'w'}, std::byte{'-'},
                                     std::byte{'y'}, std::byte{'e'}, std::byte{'s'},
                                     std::byte{'-'}, std::byte{'1'}};
  return kAnswer;
}

}  // namespace ringwise::transport::tcp
