#include "transport/tcp/hello.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace ringwise::transport::tcp {
namespace {

const Token kToken = parse_token("00112233445566778899aabbccddeeff");

TEST(Hello, SurvivesTheWire) {
  const ConnectionId id{7, Purpose::kPair, 3, 2, 5, 63};
  EXPECT_EQ(decode_hello(kToken, encode_hello(kToken, id)), id);
}

TEST(Hello, IsRefusedWhenAnyBitOfMagicVersionOrTokenDiffers) {
  const Hello good = encode_hello(kToken, {});
  for (std::size_t at = 0; at < 28; ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      Hello bad = good;
      bad[at] ^= static_cast<std::byte>(1U << bit);
      EXPECT_FALSE(decode_hello(kToken, bad)) << "byte " << at << ", bit " << bit;
    }
  }
}

TEST(Hello, IsKnownByItsFirstBytes) {
  const Hello good = encode_hello(kToken, {});
  EXPECT_TRUE(may_be_hello(std::span(good).first(0)));
  EXPECT_TRUE(may_be_hello(std::span(good).first(3)));
  EXPECT_TRUE(may_be_hello(good));
  const auto http = std::as_bytes(std::span("GET / HTTP/1.1"));
  EXPECT_FALSE(may_be_hello(http));
}

TEST(ParseToken, WantsThirtyTwoHexadecimalDigits) {
  EXPECT_EQ(kToken[15], std::byte{0xff});
  EXPECT_THROW((void)parse_token(""), Error);
  EXPECT_THROW((void)parse_token("00112233445566778899aabbccddeef"), Error);
  EXPECT_THROW((void)parse_token("00112233445566778899aabbccddeefg"), Error);
}

}  // namespace
}  // namespace ringwise::transport::tcp
