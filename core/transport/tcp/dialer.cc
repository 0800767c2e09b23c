#include "transport/tcp/dialer.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace ringwise::transport::tcp {
namespace {

constexpr auto kFirstRetry = std::chrono::milliseconds(10);
constexpr auto kLastRetry = std::chrono::milliseconds(500);

/// Errors that pass by themselves. source: NCCL 2.30.7 src/os/linux.cc, ncclOsSocketStartConnect;
/// ours are also those of a peer that drops unfinished handshakes.
bool is_passing(int error) {
  return error == ECONNREFUSED || error == EHOSTUNREACH || error == ENETUNREACH ||
         error == ETIMEDOUT || error == ECONNRESET || error == EPIPE || error == ENETDOWN ||
         error == EADDRNOTAVAIL || error == EAGAIN || error == Moved::kClosed;
}

std::string reason_of(int error) {
  if (error == 0) return "no answer";
  if (error == Moved::kClosed) return "closed without an answer";
  return base::errno_text(error);
}

}  // namespace

void Dialer::dial(const ConnectionId& id, const SocketAddress& local, const SocketAddress& remote,
                  const Peer& peer) {
  Call call{id, local.with_port(0), remote, peer, {}, base::Deadline::after({})};
  start(call);
  calls_.push_back(std::move(call));
}

void Dialer::start(Call& call) {
  ++call.attempts;
  call.is_connected = false;
  call.sent = 0;
  call.read = 0;
  call.fd = open_stream(call.remote.family());
  set_options(call.fd.get(), options_);
  if (bind(call.fd.get(), call.local.get(), call.local.length()) != 0) {
    if (!is_passing(errno)) {
      throw call.peer.error(ErrorKind::kSystem,
                            fmt::format("cannot connect to {} from {}: {}", call.peer.text(),
                                        call.local.text(), base::errno_text(errno)));
    }
    fail_attempt(call, errno);
    return;
  }
  if (connect(call.fd.get(), call.remote.get(), call.remote.length()) != 0 &&
      errno != EINPROGRESS && errno != EINTR) {
    fail_attempt(call, errno);
  }
}

void Dialer::fail_attempt(Call& call, int error) {
  if (!is_passing(error)) {
    throw call.peer.error(
        error == EACCES || error == EPERM ? ErrorKind::kRefused : ErrorKind::kSystem,
        fmt::format("cannot connect to {} at {}: {}", call.peer.text(), call.remote.text(),
                    base::errno_text(error)));
  }
  call.fd.reset();
  call.last_error = error;
  const auto doubled = kFirstRetry * (1 << std::min(call.attempts, 6));
  call.retry_at = base::Deadline::after(std::min<base::Nanoseconds>(doubled, kLastRetry));
}

bool Dialer::connected(Call& call) {
  if (call.is_connected) return true;
  pollfd ready{call.fd.get(), POLLOUT, 0};
  if (poll(&ready, 1, 0) <= 0) return false;
  int error = 0;
  socklen_t length = sizeof(error);
  base::check_rc(getsockopt(call.fd.get(), SOL_SOCKET, SO_ERROR, &error, &length),
                 "getsockopt(SO_ERROR)");
  call.is_connected = error == 0;
  if (error != 0) fail_attempt(call, error);
  return call.is_connected;
}

bool Dialer::advance(Call& call) {
  if (!call.fd.is_open()) {
    if (call.retry_at.has_passed()) start(call);
    return false;
  }
  if (!connected(call)) return false;
  if (call.sent < kHelloBytes) {
    Hello hello = encode_hello(token_, call.id);
    const iovec part{hello.data() + call.sent, kHelloBytes - call.sent};
    const Moved moved = try_send(call.fd.get(), {&part, 1});
    if (moved.error != 0) {
      fail_attempt(call, moved.error);
      return false;
    }
    call.sent += moved.bytes;
  }
  if (call.sent == kHelloBytes) {
    iovec part{call.answer.data() + call.read, kAnswerBytes - call.read};
    const Moved moved = try_receive(call.fd.get(), {&part, 1});
    if (moved.error != 0) {
      fail_attempt(call, moved.error);
      return false;
    }
    call.read += moved.bytes;
    if (call.read == kAnswerBytes) {
      if (call.answer == answer()) return true;
      fail_attempt(call, Moved::kClosed);
      return false;
    }
  }
  return false;
}

void Dialer::progress() {
  std::erase_if(calls_, [this](Call& call) {
    if (!advance(call)) return false;
    answered_[call.id] = std::move(call.fd);
    return true;
  });
}

void Dialer::add_poll(std::vector<pollfd>& polls) const {
  for (const auto& call : calls_) {
    if (!call.fd.is_open()) continue;
    const short events = call.is_connected && call.sent == kHelloBytes ? POLLIN : POLLOUT;
    polls.push_back({call.fd.get(), events, 0});
  }
}

base::Deadline Dialer::next_try(base::Deadline latest) const {
  for (const auto& call : calls_) {
    if (!call.fd.is_open()) latest = base::Deadline::earlier(latest, call.retry_at);
  }
  return latest;
}

std::map<ConnectionId, base::FileDescriptor> Dialer::take() {
  return std::exchange(answered_, {});
}

PlacedError Dialer::error() const {
  const Call& call = calls_.front();
  return call.peer.error(ErrorKind::kTimeout,
                         fmt::format("cannot connect to {} at {}: {} after {} {}", call.peer.text(),
                                     call.remote.text(), reason_of(call.last_error), call.attempts,
                                     call.attempts == 1 ? "attempt" : "attempts"),
                         "no-connection");
}

void establish(std::span<Listener*> listeners, Dialer& dialer,
               const std::map<ConnectionId, Peer>& expected, base::Deadline deadline) {
  std::vector<pollfd> polls;
  while (true) {
    dialer.progress();
    bool is_done = dialer.is_done();
    for (auto* listener : listeners) {
      listener->progress();
      is_done = is_done && listener->expected().empty();
    }
    if (is_done) return;
    if (deadline.has_passed()) break;
    polls.clear();
    dialer.add_poll(polls);
    for (const auto* listener : listeners) listener->add_poll(polls);
    // A tenth of a second at most: pending handshakes have deadlines of their own.
    const auto until = base::Deadline::earlier(
        dialer.next_try(deadline), base::Deadline::after(std::chrono::milliseconds(100)));
    if (poll(polls.data(), polls.size(), until.poll_ms()) < 0 && errno != EINTR) {
      base::check_rc(-1, "poll");
    }
  }
  if (!dialer.is_done()) throw dialer.error();
  for (const auto* listener : listeners) {
    for (const auto& id : listener->expected()) {
      const auto found = expected.find(id);
      if (found == expected.end()) continue;
      throw found->second.error(ErrorKind::kTimeout,
                                fmt::format("{} has not connected to {}", found->second.text(),
                                            listener->address().text()),
                                "silent");
    }
  }
  throw Error(ErrorKind::kInternal, "an unnamed connection was expected and did not come");
}

}  // namespace ringwise::transport::tcp
