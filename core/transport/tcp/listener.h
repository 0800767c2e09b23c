// Accepts a run's data connections on one local address and drops everything else.
#pragma once

#include <poll.h>

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "base/deadline.h"
#include "base/handle.h"
#include "transport/tcp/address.h"
#include "transport/tcp/hello.h"
#include "transport/tcp/socket.h"

namespace ringwise::transport::tcp {

/// Reads the hellos of many connections at once, so that one that stays silent delays none. A
/// connection that says nothing in time, or anything but a hello of this run that is expected now,
/// is dropped and counted.
class Listener {
 public:
  /// Handshakes that may be under way; one more drops the oldest.
  static constexpr std::size_t kMaxPending = 128;

  /// Binds to `local` with a port that the kernel chooses. Throws Error(kSystem, kRefused).
  Listener(const SocketAddress& local, const Token& token, const SocketOptions& options,
           base::Nanoseconds hello_patience = std::chrono::seconds(2));

  /// With the chosen port.
  [[nodiscard]] const SocketAddress& address() const { return address_; }

  /// From now on a connection with this id is welcome, once. Call it before the peer can connect.
  void expect(const ConnectionId& id) { expected_.insert(id); }
  [[nodiscard]] const std::set<ConnectionId>& expected() const { return expected_; }
  /// Nothing is welcome any more, and what came and was not taken is closed: after a failure.
  void forget() {
    expected_.clear();
    accepted_.clear();
  }
  /// The connections that came, by id; empties the list.
  [[nodiscard]] std::map<ConnectionId, base::FileDescriptor> take();

  /// Accepts, reads and answers what is there, without waiting. Throws Error(kSystem).
  void progress();
  /// Adds what progress() waits for.
  void add_poll(std::vector<pollfd>& polls) const;
  /// Connections dropped so far.
  [[nodiscard]] std::uint64_t strays() const { return strays_; }

 private:
  struct Pending {
    base::FileDescriptor fd;
    base::Deadline deadline;
    Hello hello{};
    std::size_t read = 0;
  };
  enum class Step { kWait, kDrop, kDone };

  void accept_all();
  Step advance(Pending& pending);
  bool welcome(Pending& pending);

  Token token_;
  SocketOptions options_;
  base::Nanoseconds hello_patience_;
  base::FileDescriptor fd_;
  SocketAddress address_;
  std::deque<Pending> pending_;
  std::set<ConnectionId> expected_;
  std::map<ConnectionId, base::FileDescriptor> accepted_;
  std::uint64_t strays_ = 0;
};

}  // namespace ringwise::transport::tcp
