// The first bytes of every data connection: they say that it belongs to this run and what it is
// for, so that nothing else is ever measured.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ringwise::transport::tcp {

/// The secret of one run.
using Token = std::array<std::byte, 16>;
/// From 32 hexadecimal digits. Throws Error(kUsage) when the text is anything else.
[[nodiscard]] Token parse_token(std::string_view hex);

enum class Purpose : std::uint32_t { kRing = 1, kPair = 2, kPath = 3 };

/// Which connection of a run it is; both ends know it before.
struct ConnectionId {
  std::uint32_t source = 0;  ///< rank that connects
  Purpose purpose = Purpose::kRing;
  std::uint32_t block = 0;
  std::uint32_t group = 0;  ///< configuration, round of pairs, ...
  std::uint32_t channel = 0;
  std::uint32_t socket = 0;  ///< 0 = control, 1... = data; of kPath: bytes of the IP packet

  friend auto operator<=>(const ConnectionId&, const ConnectionId&) = default;
};

/// Filled up to a cache line.
inline constexpr std::size_t kHelloBytes = 64;
inline constexpr std::size_t kAnswerBytes = 8;
using Hello = std::array<std::byte, kHelloBytes>;
using Answer = std::array<std::byte, kAnswerBytes>;

[[nodiscard]] Hello encode_hello(const Token& token, const ConnectionId& id);
/// Empty when magic, version or token is not ours; the token is compared in constant time.
[[nodiscard]] std::optional<ConnectionId> decode_hello(const Token& token, const Hello& hello);
/// Could these first bytes of a hello become one of ours? Judges the magic only.
[[nodiscard]] bool may_be_hello(std::span<const std::byte> begin);

/// What the accepting end answers to a good hello.
[[nodiscard]] const Answer& answer();

}  // namespace ringwise::transport::tcp
