#include "memory/buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "memory/registry.h"

namespace ringwise::memory {
namespace {

TEST(Buffer, IsZeroPageAlignedHostMemory) {
  Buffer buffer = allocate_host(10000);
  EXPECT_EQ(buffer.size(), 10000U);
  EXPECT_EQ(buffer.kind(), "host");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.bytes().data()) % 4096, 0U);
  EXPECT_TRUE(std::ranges::all_of(buffer.bytes(), [](std::byte b) { return b == std::byte{0}; }));
}

TEST(Buffer, ShowsTheSameBytesAsFloats) {
  Buffer buffer = allocate_host(10);
  EXPECT_EQ(buffer.floats().size(), 2U);
  EXPECT_EQ(static_cast<void*>(buffer.floats().data()), static_cast<void*>(buffer.bytes().data()));
}

TEST(Buffer, OfNoBytesIsEmpty) {
  EXPECT_EQ(allocate_host(0).bytes().size(), 0U);
}

TEST(Buffer, MovesItsMemory) {
  Buffer first = allocate_host(4096);
  const auto* data = first.bytes().data();
  Buffer second = std::move(first);
  EXPECT_EQ(second.bytes().data(), data);
  Buffer third;
  third = std::move(second);
  EXPECT_EQ(third.bytes().data(), data);
  EXPECT_EQ(third.size(), 4096U);
}

TEST(Buffer, SaysHowMuchCouldNotBeHad) {
  try {
    (void)allocate_host(std::size_t{1} << 60);
    FAIL() << "got it";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kRefused);
    EXPECT_THAT(error.what(), testing::HasSubstr("TiB of host memory: "));
  }
}

TEST(Memories, ListHostMemory) {
  ASSERT_NE(find_memory("host"), nullptr);
  EXPECT_TRUE(find_memory("host")->available().usable);
  EXPECT_EQ(find_memory("host")->allocate(8).size(), 8U);
  EXPECT_EQ(find_memory("cheese"), nullptr);
}

}  // namespace
}  // namespace ringwise::memory
