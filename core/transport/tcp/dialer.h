// Makes a run's data connections to other ranks, many at once, and waits for both directions.
#pragma once

#include <poll.h>

#include <map>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "transport/tcp/address.h"
#include "transport/tcp/hello.h"
#include "transport/tcp/listener.h"
#include "transport/tcp/socket.h"

namespace ringwise::transport::tcp {

/// Connects, says hello and waits for the answer. A refused, unreachable or closed connection is
/// tried again until the caller's deadline.
class Dialer {
 public:
  Dialer(const Token& token, const SocketOptions& options) : token_(token), options_(options) {}

  /// Begins a connection from `local` (its port is ignored) to `remote`.
  void dial(const ConnectionId& id, const SocketAddress& local, const SocketAddress& remote,
            const Peer& peer);
  /// Throws PlacedError(kSystem, kRefused) for what no retry can mend.
  void progress();
  void add_poll(std::vector<pollfd>& polls) const;
  [[nodiscard]] bool is_done() const { return calls_.empty(); }
  /// When the next retry is due; waiting until then at most makes sense.
  [[nodiscard]] base::Deadline next_try(base::Deadline latest) const;
  /// The answered connections, by id; empties the list.
  [[nodiscard]] std::map<ConnectionId, base::FileDescriptor> take();
  /// Names the oldest unanswered peer and the last reason.
  [[nodiscard]] PlacedError error() const;

 private:
  struct Call {
    ConnectionId id;
    SocketAddress local;
    SocketAddress remote;
    Peer peer;
    base::FileDescriptor fd;
    base::Deadline retry_at;
    bool is_connected = false;
    std::size_t sent = 0;
    std::size_t read = 0;
    Answer answer{};
    int attempts = 0;
    int last_error = 0;  ///< errno of the last attempt; Moved::kClosed; 0 = no answer yet
  };

  void start(Call& call);
  bool connected(Call& call);
  bool advance(Call& call);
  void fail_attempt(Call& call, int error);

  Token token_;
  SocketOptions options_;
  std::vector<Call> calls_;
  std::map<ConnectionId, base::FileDescriptor> answered_;
};

/// Runs listeners and dialer until everything dialled is answered and everything expected has
/// come. `expected` names the rank behind each awaited connection. Throws PlacedError(kTimeout)
/// that names one who is missing.
void establish(std::span<Listener*> listeners, Dialer& dialer,
               const std::map<ConnectionId, Peer>& expected, base::Deadline deadline);

}  // namespace ringwise::transport::tcp
