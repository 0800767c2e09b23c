#include "transport/tcp/listener.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "base/error.h"

namespace ringwise::transport::tcp {
namespace {

constexpr int kBacklog = 1024;
/// Accepted in one call of progress() at most, so that a flood cannot hold the caller.
constexpr int kMaxAccepts = 256;

base::FileDescriptor listen_on(const SocketAddress& local, const SocketOptions& options) {
  auto fd = open_stream(local.family());
  set_options(fd.get(), options);
  base::check_rc(bind(fd.get(), local.get(), local.length()), "bind(" + local.text() + ")");
  base::check_rc(listen(fd.get(), kBacklog), "listen");
  return fd;
}

/// The connection has gone before it was accepted: nothing of ours failed. source: accept(2)
bool is_peers_fault(int error) {
  return error == ECONNABORTED || error == EPROTO || error == EPERM || error == ENETDOWN ||
         error == ENETUNREACH || error == EHOSTDOWN || error == EHOSTUNREACH ||
         error == ENOPROTOOPT || error == EOPNOTSUPP || error == ENONET;
}

}  // namespace

Listener::Listener(const SocketAddress& local, const Token& token, const SocketOptions& options,
                   base::Nanoseconds hello_patience)
    : token_(token),
      options_(options),
      hello_patience_(hello_patience),
      fd_(listen_on(local.with_port(0), options)),
      address_(SocketAddress::of_socket(fd_.get())) {}

std::map<ConnectionId, base::FileDescriptor> Listener::take() {
  return std::exchange(accepted_, {});
}

void Listener::progress() {
  accept_all();
  for (auto it = pending_.begin(); it != pending_.end();) {
    const Step step = advance(*it);
    if (step == Step::kDrop) ++strays_;
    it = step == Step::kWait ? std::next(it) : pending_.erase(it);
  }
}

void Listener::add_poll(std::vector<pollfd>& polls) const {
  polls.push_back({fd_.get(), POLLIN, 0});
  for (const auto& pending : pending_) polls.push_back({pending.fd.get(), POLLIN, 0});
}

void Listener::accept_all() {
  for (int i = 0; i < kMaxAccepts; ++i) {
    base::FileDescriptor fd(accept4(fd_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!fd.is_open()) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      if (errno == EINTR || is_peers_fault(errno)) continue;
      if ((errno == EMFILE || errno == ENFILE) && !pending_.empty()) {
        pending_.pop_front();
        ++strays_;
        continue;
      }
      base::check_rc(-1, "accept4");
    }
    set_options(fd.get(), options_);
    pending_.push_back({std::move(fd), base::Deadline::after(hello_patience_), {}, 0});
    // Its hello is usually there already: read before the oldest is judged.
    const Step step = advance(pending_.back());
    if (step != Step::kWait) pending_.pop_back();
    if (step == Step::kDrop) ++strays_;
    if (pending_.size() > kMaxPending) {
      pending_.pop_front();
      ++strays_;
    }
  }
}

Listener::Step Listener::advance(Pending& pending) {
  iovec part{pending.hello.data() + pending.read, kHelloBytes - pending.read};
  const Moved moved = try_receive(pending.fd.get(), {&part, 1});
  if (moved.error != 0) return Step::kDrop;
  pending.read += moved.bytes;
  if (!may_be_hello({pending.hello.data(), pending.read})) return Step::kDrop;
  if (pending.read == kHelloBytes) return welcome(pending) ? Step::kDone : Step::kDrop;
  return pending.deadline.has_passed() ? Step::kDrop : Step::kWait;
}

bool Listener::welcome(Pending& pending) {
  const auto id = decode_hello(token_, pending.hello);
  // A dialer whose first attempt broke comes again with the same id: the newest counts.
  if (!id || (expected_.count(*id) == 0 && accepted_.count(*id) == 0)) return false;
  const iovec part{const_cast<std::byte*>(answer().data()), kAnswerBytes};
  // A fresh socket takes eight bytes at once; one that does not is broken.
  if (try_send(pending.fd.get(), {&part, 1}).bytes != kAnswerBytes) return false;
  accepted_[*id] = std::move(pending.fd);
  expected_.erase(*id);
  return true;
}

}  // namespace ringwise::transport::tcp
