// Tests of the live view: this machine's loopback and the order of its addresses.
#include "system/netlink.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/handle.h"

namespace ringwise::system {
namespace {

using ::testing::IsEmpty;
using Names = std::vector<std::pair<std::string, std::string>>;

/// Name and address in the order of getifaddrs(3), which NCCL goes by.
Names from_getifaddrs(int family) {
  Names names;
  ifaddrs* raw = nullptr;
  if (getifaddrs(&raw) != 0) return names;
  const base::UniqueHandle<ifaddrs, freeifaddrs> list(raw);
  for (const ifaddrs* entry = raw; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != family) continue;
    std::array<char, INET6_ADDRSTRLEN> text{};
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(entry->ifa_addr);
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr);
    const void* bytes = family == AF_INET ? static_cast<const void*>(&v4->sin_addr)
                                          : static_cast<const void*>(&v6->sin6_addr);
    if (inet_ntop(family, bytes, text.data(), text.size()) == nullptr) continue;
    names.emplace_back(entry->ifa_name, text.data());
  }
  return names;
}

Names from_netlink(const char* family) {
  std::vector<std::string> problems;
  Names names;
  for (const auto& link : read_links(problems)) {
    for (const auto& address : link.facts.addresses) {
      if (address.family != family) continue;
      names.emplace_back(address.label.value_or(link.facts.name), address.address);
    }
  }
  EXPECT_THAT(problems, IsEmpty());
  return names;
}

TEST(ReadLinks, FindsTheLoopbackOfThisMachine) {
  std::vector<std::string> problems;
  const auto links = read_links(problems);
  EXPECT_THAT(problems, IsEmpty());
  const auto is_loopback = [](const Link& link) { return link.facts.is_loopback; };
  const auto found = std::ranges::find_if(links, is_loopback);
  ASSERT_NE(found, links.end());
  EXPECT_EQ(found->facts.name, "lo");
  EXPECT_EQ(found->facts.index, 1);
  EXPECT_TRUE(found->facts.mtu);
}

TEST(ReadLinks, KeepsTheOrderOfGetifaddrs) {
  for (const auto& [family, name] : {std::pair{AF_INET, "inet"}, std::pair{AF_INET6, "inet6"}}) {
    const auto before = from_getifaddrs(family);
    const auto mine = from_netlink(name);
    if (before != from_getifaddrs(family)) GTEST_SKIP() << "addresses changed meanwhile";
    EXPECT_EQ(mine, before) << name;
  }
}

}  // namespace
}  // namespace ringwise::system
