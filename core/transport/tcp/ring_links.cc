#include "transport/tcp/ring_links.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "transport/tcp/receiver.h"
#include "transport/tcp/sender.h"

namespace ringwise::transport::tcp {
namespace {

/// Waits for the sockets that the progress thread drives and for the helpers' doorbell.
class TcpWaiter final : public Waiter {
 public:
  [[nodiscard]] Doorbell& doorbell() { return doorbell_; }
  void watch(const Links& links) {
    for (const auto& end : links.to_next) {
      senders_.push_back(static_cast<const TcpSender*>(end.get()));
    }
    for (const auto& end : links.from_previous) {
      receivers_.push_back(static_cast<const TcpReceiver*>(end.get()));
    }
    senders_.push_back(static_cast<const TcpSender*>(links.to_previous.get()));
    receivers_.push_back(static_cast<const TcpReceiver*>(links.from_next.get()));
    polls_.reserve(senders_.size() + receivers_.size() + 1);
  }

  void prepare() override { doorbell_.arm(); }

  void wait(int milliseconds) override {
    polls_.clear();
    polls_.push_back({doorbell_.fd(), POLLIN, 0});
    for (const auto* sender : senders_) {
      if (sender->is_control_full()) polls_.push_back({sender->control_fd(), POLLOUT, 0});
    }
    for (const auto* receiver : receivers_) {
      if (receiver->wants_control()) polls_.push_back({receiver->control_fd(), POLLIN, 0});
    }
    poll(polls_.data(), polls_.size(), milliseconds);
    doorbell_.disarm();
  }

 private:
  Doorbell doorbell_;
  std::vector<const TcpSender*> senders_;
  std::vector<const TcpReceiver*> receivers_;
  std::vector<pollfd> polls_;
};

/// "2x8" for each interface, as exchanged between neighbours.
std::string counts_text(const std::vector<SocketCount>& counts) {
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& count : counts) {
    parts.push_back(fmt::format("{}x{}", count.threads, count.sockets));
  }
  return base::join(parts, " ");
}

std::vector<SocketCount> parse_counts(const std::string& text) {
  std::vector<SocketCount> counts;
  for (const auto& part : base::split(text, ' ')) {
    const auto numbers = base::split(part, 'x');
    if (numbers.size() != 2) throw Error(ErrorKind::kPeer, "bad socket counts from a rank");
    const auto threads = base::parse_int(numbers[0]);
    const auto sockets = base::parse_int(numbers[1]);
    // source: NCCL 2.30.7 net_socket.cc, MAX_THREADS 16 and MAX_SOCKETS 64
    if (!threads || !sockets || *threads < 0 || *threads > 16 || *sockets < 0 ||
        *threads * *sockets > 64) {
      throw Error(ErrorKind::kPeer, "bad socket counts from a rank: " + text);
    }
    counts.push_back({static_cast<int>(*threads), static_cast<int>(*sockets)});
  }
  return counts;
}

Sockets take_sockets(std::map<ConnectionId, base::FileDescriptor>& from, ConnectionId id,
                     const SocketCount& count) {
  Sockets sockets;
  sockets.threads = count.threads;
  sockets.control = std::move(from.at(id));
  for (int i = 0; i < count.data_sockets(); ++i) {
    ++id.socket;
    sockets.data.push_back(std::move(from.at(id)));
  }
  return sockets;
}

/// The same control socket once more, for the other direction.
Sockets turned(int control) {
  Sockets sockets;
  sockets.control = base::FileDescriptor(
      base::check_rc(fcntl(control, F_DUPFD_CLOEXEC, 0), "fcntl(F_DUPFD_CLOEXEC)"));
  return sockets;
}

ConnectionId id_of(int source, const RingShape& shape, int channel) {
  ConnectionId id;
  id.source = static_cast<std::uint32_t>(source);
  id.purpose = Purpose::kRing;
  id.block = shape.block;
  id.group = shape.group;
  id.channel = static_cast<std::uint32_t>(channel);
  return id;
}

}  // namespace

RingConnector::RingConnector(comm::Communicator& comm, RingOptions options, base::Deadline deadline)
    : comm_(comm),
      options_(std::move(options)),
      previous_((comm.rank() + comm.size() - 1) % comm.size()),
      next_((comm.rank() + 1) % comm.size()) {
  std::vector<std::string> addresses;
  for (const auto& interface : options_.interfaces) {
    listeners_.push_back(
        std::make_unique<Listener>(interface.address, options_.token, options_.sockets));
    addresses.push_back(listeners_.back()->address().text());
  }
  const auto all = comm_.gather_all(base::join(addresses, " "), deadline);
  next_addresses_ = base::split(all.at(static_cast<std::size_t>(next_)), ' ');
  if (next_addresses_.empty()) {
    throw Error(ErrorKind::kPeer, fmt::format("rank {} has no interface to connect to", next_));
  }
}

std::size_t RingConnector::interface_index(int channel) const {
  return static_cast<std::size_t>(channel) % options_.interfaces.size();
}

const std::string& RingConnector::interface_of(int channel) const {
  return options_.interfaces[interface_index(channel)].name;
}

Peer RingConnector::peer(int rank, int channel) const {
  return {rank, options_.hosts.at(static_cast<std::size_t>(rank)), interface_of(channel),
          options_.step};
}

std::map<ConnectionId, Peer> RingConnector::expect_previous(const RingShape& shape) {
  std::map<ConnectionId, Peer> expected;
  for (int channel = 0; channel < shape.channels; ++channel) {
    auto id = id_of(previous_, shape, channel);
    const std::size_t at = interface_index(channel);
    const int data_sockets = shape.counts.at(at).data_sockets();
    for (int socket = 0; socket <= data_sockets; ++socket, ++id.socket) {
      listeners_[at]->expect(id);
      expected.emplace(id, peer(previous_, channel));
    }
  }
  return expected;
}

void RingConnector::dial_next(Dialer& dialer, const RingShape& shape,
                              const std::vector<SocketCount>& next_counts) const {
  for (int channel = 0; channel < shape.channels; ++channel) {
    const auto& own = options_.interfaces[interface_index(channel)];
    const auto there = static_cast<std::size_t>(channel) % next_addresses_.size();
    const auto remote = SocketAddress::parse(next_addresses_[there], own.index);
    if (!remote) throw Error(ErrorKind::kPeer, "bad address from a rank");
    auto id = id_of(comm_.rank(), shape, channel);
    for (int i = 0; i <= next_counts[there].data_sockets(); ++i, ++id.socket) {
      dialer.dial(id, own.address, *remote, peer(next_, channel));
    }
  }
}

/// Before anyone connects, so that the others are told why and do not wait for it.
void RingConnector::check_open_files(const RingShape& shape) const {
  // Listeners, wakers, the library's own and handshakes of strangers that are still to be dropped.
  constexpr rlim_t kOthers = 32;
  rlimit limit{};
  base::check_rc(getrlimit(RLIMIT_NOFILE, &limit), "getrlimit(RLIMIT_NOFILE)");
  rlim_t sockets = 2;
  for (int channel = 0; channel < shape.channels; ++channel) {
    sockets +=
        2 * (1 + static_cast<rlim_t>(shape.counts.at(interface_index(channel)).data_sockets()));
  }
  if (limit.rlim_cur == RLIM_INFINITY || sockets + kOthers <= limit.rlim_cur) return;
  throw Error(ErrorKind::kRefused,
              fmt::format("{} {} need {} sockets on a rank, and it may open {} files (ulimit -n): "
                          "at least {} are needed",
                          shape.channels, shape.channels == 1 ? "channel" : "channels", sockets,
                          limit.rlim_cur, sockets + kOthers));
}

Links RingConnector::connect(const RingShape& shape, base::Deadline deadline) {
  check_open_files(shape);
  const auto expected = expect_previous(shape);
  const auto all = comm_.gather_all(counts_text(shape.counts), deadline);
  const auto next_counts = parse_counts(all.at(static_cast<std::size_t>(next_)));
  if (next_counts.size() != next_addresses_.size()) {
    throw Error(ErrorKind::kPeer, "socket counts and interfaces of a rank do not match");
  }
  Dialer dialer(options_.token, options_.sockets);
  dial_next(dialer, shape, next_counts);
  std::vector<Listener*> listeners;
  listeners.reserve(listeners_.size());
  for (const auto& listener : listeners_) listeners.push_back(listener.get());
  establish(listeners, dialer, expected, deadline);

  std::map<ConnectionId, base::FileDescriptor> accepted;
  for (auto* listener : listeners) accepted.merge(listener->take());
  auto dialled = dialer.take();
  auto waiter = std::make_unique<TcpWaiter>();
  Links links;
  for (int channel = 0; channel < shape.channels; ++channel) {
    const auto there = static_cast<std::size_t>(channel) % next_addresses_.size();
    links.to_next.push_back(std::make_unique<TcpSender>(
        take_sockets(dialled, id_of(comm_.rank(), shape, channel), next_counts[there]),
        peer(next_, channel), waiter->doorbell()));
    links.from_previous.push_back(
        std::make_unique<TcpReceiver>(take_sockets(accepted, id_of(previous_, shape, channel),
                                                   shape.counts[interface_index(channel)]),
                                      peer(previous_, channel), waiter->doorbell()));
  }
  const auto& to_next = static_cast<const TcpSender&>(*links.to_next.front());
  const auto& from_previous = static_cast<const TcpReceiver&>(*links.from_previous.front());
  links.to_previous = std::make_unique<TcpSender>(turned(from_previous.control_fd()),
                                                  peer(previous_, 0), waiter->doorbell());
  links.from_next = std::make_unique<TcpReceiver>(turned(to_next.control_fd()), peer(next_, 0),
                                                  waiter->doorbell());
  waiter->watch(links);
  links.waiter = std::move(waiter);
  return links;
}

void RingConnector::drop_strays() {
  for (const auto& listener : listeners_) listener->progress();
}

std::uint64_t RingConnector::strays() const {
  std::uint64_t count = 0;
  for (const auto& listener : listeners_) count += listener->strays();
  return count;
}

}  // namespace ringwise::transport::tcp
