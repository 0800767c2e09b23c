#include "transport/tcp/ring_links.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "comm/local_group.h"
#include "transport/tcp/receiver.h"
#include "transport/tcp/sender.h"

namespace ringwise::transport::tcp {
namespace {

constexpr const char* kToken = "00112233445566778899aabbccddeeff";
base::Deadline soon() {
  return base::Deadline::after(std::chrono::seconds(60));
}

RingOptions options(int ranks, int interfaces = 1) {
  RingOptions options;
  for (int rank = 0; rank < ranks; ++rank) options.hosts.push_back("n" + std::to_string(rank));
  for (int i = 0; i < interfaces; ++i) {
    options.interfaces.push_back(
        {"lo" + std::to_string(i), *SocketAddress::make("127.0.0." + std::to_string(i + 1), 0), 1});
  }
  options.token = parse_token(kToken);
  return options;
}

/// Connections of this process that were accepted on this port. Another process of a busy machine
/// may use the same port for its end of a connection, and so may a dialler.
std::size_t accepted_on(std::uint16_t port, std::uint16_t dialled) {
  std::set<std::uint16_t> diallers;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int fd = std::atoi(entry.path().filename().c_str());
    sockaddr_in here{};
    sockaddr_in there{};
    socklen_t size = sizeof(here);
    if (getsockname(fd, reinterpret_cast<sockaddr*>(&here), &size) != 0) continue;
    size = sizeof(there);
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&there), &size) != 0) continue;
    const bool is_here = here.sin_family == AF_INET && ntohs(here.sin_port) == port;
    if (is_here && ntohs(there.sin_port) != dialled) diallers.insert(ntohs(there.sin_port));
  }
  return diallers.size();
}

std::uint16_t local_port(const Sender& sender) {
  return SocketAddress::of_socket(static_cast<const TcpSender&>(sender).control_fd()).port();
}
std::uint16_t remote_port(const Sender& sender) {
  sockaddr_in there{};
  socklen_t size = sizeof(there);
  getpeername(static_cast<const TcpSender&>(sender).control_fd(),
              reinterpret_cast<sockaddr*>(&there), &size);
  return ntohs(there.sin_port);
}
std::uint16_t local_port(const Receiver& receiver) {
  return SocketAddress::of_socket(static_cast<const TcpReceiver&>(receiver).control_fd()).port();
}

void move_one(Links& links, std::size_t bytes, std::byte fill) {
  std::vector<std::byte> out(bytes, fill);
  std::vector<std::byte> in(bytes);
  for (std::size_t c = 0; c < links.to_next.size(); ++c) {
    links.to_next[c]->post(out);
    links.to_next[c]->offer(bytes);
    links.from_previous[c]->post(bytes, in.data());
    std::size_t taken = 0;
    while (taken < bytes || !links.to_next[c]->is_idle()) {
      links.to_next[c]->progress();
      links.from_previous[c]->progress();
      const std::size_t ready = links.from_previous[c]->arrived().size();
      if (ready > 0) links.from_previous[c]->take(ready);
      taken += ready;
    }
    EXPECT_EQ(in, out);
    std::ranges::fill(in, std::byte{0});
  }
}

struct Counts {
  int channels;
  int threads;
  int sockets;
};
class ConnectionCounts : public testing::TestWithParam<Counts> {};

TEST_P(ConnectionCounts, AreThoseOfNccl) {
  const auto [channels, threads, sockets] = GetParam();
  const auto thrown = comm::LocalGroup::run(2, [&](comm::Communicator& comm) {
    RingConnector connector(comm, options(2), soon());
    auto links = connector.connect({0, 0, channels, {{threads, sockets}}}, soon());
    EXPECT_EQ(accepted_on(local_port(*links.from_previous[0]), remote_port(*links.to_next[0])),
              static_cast<std::size_t>(channels * (1 + threads * sockets)));
    comm.barrier(soon());
    move_one(links, 300000, std::byte{5});
    comm.barrier(soon());
  });
  for (const auto& text : thrown) EXPECT_EQ(text, "");
}

INSTANTIATE_TEST_SUITE_P(Shapes, ConnectionCounts,
                         testing::Values(Counts{1, 0, 1}, Counts{2, 0, 1}, Counts{2, 2, 8},
                                         Counts{1, 4, 1}, Counts{3, 1, 2}));

TEST(RingConnector, UsesNewPortsInEachBlock) {
  const auto thrown = comm::LocalGroup::run(2, [&](comm::Communicator& comm) {
    RingConnector connector(comm, options(2), soon());
    const auto first = connector.connect({0, 0, 1, {{0, 1}}}, soon());
    const auto second = connector.connect({1, 0, 1, {{0, 1}}}, soon());
    EXPECT_NE(local_port(*first.to_next[0]), local_port(*second.to_next[0]));
    comm.barrier(soon());
  });
  for (const auto& text : thrown) EXPECT_EQ(text, "");
}

TEST(RingConnector, SpreadsChannelsOverInterfaces) {
  const auto thrown = comm::LocalGroup::run(3, [&](comm::Communicator& comm) {
    RingConnector connector(comm, options(3, 2), soon());
    EXPECT_EQ(connector.interface_of(0), "lo0");
    EXPECT_EQ(connector.interface_of(3), "lo1");
    auto links = connector.connect({0, 0, 4, {{0, 1}, {1, 2}}}, soon());
    for (std::size_t c = 0; c < 4; ++c) {
      const auto& sender = static_cast<const TcpSender&>(*links.to_next[c]);
      const auto here = SocketAddress::of_socket(sender.control_fd()).text();
      EXPECT_EQ(here.substr(0, here.find(':')), c % 2 == 0 ? "127.0.0.1" : "127.0.0.2");
      EXPECT_EQ(sender.peer().interface, c % 2 == 0 ? "lo0" : "lo1");
    }
    move_one(links, 200000, std::byte{9});
    comm.barrier(soon());
  });
  for (const auto& text : thrown) EXPECT_EQ(text, "");
}

TEST(RingConnector, ObeysTheReceiversSplit) {
  const auto thrown = comm::LocalGroup::run(2, [&](comm::Communicator& comm) {
    RingConnector connector(comm, options(2), soon());
    const int threads = comm.rank();
    auto links = connector.connect({0, 0, 1, {{threads, 2}}}, soon());
    EXPECT_EQ(accepted_on(local_port(*links.from_previous[0]), remote_port(*links.to_next[0])),
              static_cast<std::size_t>(1 + 2 * threads));
    comm.barrier(soon());
    move_one(links, 500000, std::byte{1});
    comm.barrier(soon());
  });
  for (const auto& text : thrown) EXPECT_EQ(text, "");
}

TEST(TcpReceiver, RefusesAMessageOfAnotherSize) {
  const auto thrown = comm::LocalGroup::run(2, [&](comm::Communicator& comm) {
    RingConnector connector(comm, options(2), soon());
    auto links = connector.connect({0, 0, 1, {{0, 1}}}, soon());
    const std::vector<std::byte> out(8);
    links.to_next[0]->post(out);
    links.to_next[0]->offer(8);
    links.to_next[0]->progress();
    comm.barrier(soon());
    links.from_previous[0]->post(12, nullptr);
    while (!links.from_previous[0]->progress()) {
    }
  });
  EXPECT_EQ(thrown[0], "rank 1 (n1) over lo0 sent a message of 8 bytes where 12 were expected");
}

TEST(TcpSender, SendsOnlyWhatIsOffered) {
  const auto thrown = comm::LocalGroup::run(2, [&](comm::Communicator& comm) {
    RingConnector connector(comm, options(2), soon());
    auto links = connector.connect({0, 0, 1, {{0, 1}}}, soon());
    auto& sender = *links.to_next[0];
    auto& receiver = *links.from_previous[0];
    const std::vector<std::byte> out(1000, std::byte{3});
    receiver.post(1000, nullptr);
    sender.post(out);
    EXPECT_FALSE(sender.progress());
    EXPECT_FALSE(sender.can_post());
    sender.offer(600);
    EXPECT_TRUE(sender.progress());
    while (receiver.arrived().size() < 600) receiver.progress();
    EXPECT_EQ(receiver.arrived().size(), 600U);
    comm.barrier(soon());
    receiver.take(597);
    EXPECT_FALSE(sender.is_idle());
    sender.offer(400);
    sender.progress();
    EXPECT_TRUE(sender.is_idle());
    EXPECT_TRUE(sender.can_post());
    while (receiver.arrived().size() < 403) receiver.progress();
    EXPECT_EQ(receiver.arrived()[402], std::byte{3});
    receiver.take(403);
    EXPECT_EQ(receiver.posted(), 0U);
    EXPECT_GT(static_cast<TcpSender&>(sender).stats().path_mtu, 0);
    comm.barrier(soon());
  });
  for (const auto& text : thrown) EXPECT_EQ(text, "");
}

TEST(RingConnector, SaysHowManyFilesItNeedsBeforeAnyoneConnects) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{.rlim_cur = 128, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto thrown = comm::LocalGroup::run(2, [](comm::Communicator& comm) {
    RingConnector connector(comm, options(2), soon());
    RingShape shape;
    shape.channels = 32;
    shape.counts = {{2, 8}};
    (void)connector.connect(shape, soon());
  });
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(thrown.at(0),
            "32 channels need 1090 sockets on a rank, and it may open 128 files (ulimit -n): at "
            "least 1122 are needed");
}

}  // namespace
}  // namespace ringwise::transport::tcp
