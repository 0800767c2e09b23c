#include "transport/tcp/receiver.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace ringwise::transport::tcp {

// Without data sockets one message at a time passes through a small window of own memory; with
// them several land at once, each in its own slot.
TcpReceiver::TcpReceiver(Sockets sockets, Peer peer, Doorbell& doorbell)
    : control_(std::move(sockets.control)),
      peer_(std::move(peer)),
      own_(memory::allocate_host(sockets.data.empty() ? kReadBytes
                                                      : kStepsInFlight * kMaxStepBytes)),
      helpers_(std::move(sockets.data), sockets.threads, Direction::kReceive, doorbell) {}

void TcpReceiver::post(std::size_t bytes, std::byte* landing) {
  const std::size_t slot = posted_ % kStepsInFlight;
  Message& next = message(posted_++);
  next.bytes = bytes;
  next.landing = landing;
  next.own = own_.bytes().data() + (helpers_.lanes() > 0 ? slot * kMaxStepBytes : 0);
  next.split = split_message(bytes, helpers_.lanes());
  next.on_control = 0;
  next.taken = 0;
  for (std::size_t t = 0; t < next.split.tasks; ++t) {
    next.tasks[t].moved.store(0, std::memory_order_relaxed);
  }
}

/// Where byte 0 of the message would be.
std::byte* TcpReceiver::target(const Message& of) const {
  return of.landing != nullptr ? of.landing : of.own;
}

bool TcpReceiver::progress() {
  bool has_moved = false;
  while (controlled_ != posted_) {
    Message& next = message(controlled_);
    // Own memory without data sockets holds one message at a time.
    if (helpers_.lanes() == 0 && controlled_ != taken_) break;
    has_moved = read_control(next) || has_moved;
    if (next.on_control < kHeaderBytes + next.split.control) break;
    give_tasks(next);
    ++controlled_;
  }
  if (helpers_.lanes() > 0) {
    helpers_.throw_if_failed(peer_);
    const std::size_t now = taken_ == posted_ ? 0 : contiguous(message(taken_));
    has_moved = has_moved || now != seen_;
    seen_ = now;
  }
  return has_moved;
}

bool TcpReceiver::read_control(Message& next) {
  std::array<iovec, 2> parts{};
  std::size_t count = 0;
  if (next.on_control < kHeaderBytes) {
    parts[count++] = {next.header.data() + next.on_control, kHeaderBytes - next.on_control};
  }
  const std::size_t from = std::max(next.on_control, kHeaderBytes) - kHeaderBytes;
  std::size_t room = std::min(next.split.control - from, kReadBytes);
  std::byte* to = target(next) + from;
  if (is_window(next)) {
    // What is not taken moves to the start: the few bytes of a cut element, usually none.
    const std::size_t held = from - next.taken;
    if (held > 0 && window_ > 0) std::memmove(next.own, next.own + window_, held);
    window_ = 0;
    to = next.own + held;
    room = std::min(room, kReadBytes - held);
  }
  if (room > 0) parts[count++] = {to, room};
  if (count == 0) return false;
  const auto bytes = bytes_or_throw(try_receive(control_.get(), {parts.data(), count}), peer_);
  if (bytes == 0) return false;
  const bool had_header = next.on_control >= kHeaderBytes;
  next.on_control += bytes;
  if (!had_header && next.on_control >= kHeaderBytes) check_header(next);
  return true;
}

void TcpReceiver::check_header(const Message& next) const {
  std::uint32_t size = 0;
  std::memcpy(&size, next.header.data(), sizeof(size));
  if (size == next.bytes) return;
  throw peer_.error(ErrorKind::kPeer,
                    fmt::format("{} sent a message of {} bytes where {} were expected",
                                peer_.text(), size, next.bytes));
}

void TcpReceiver::give_tasks(Message& next) {
  for (std::size_t t = 0; t < next.split.tasks; ++t) {
    const std::size_t begin = next.split.begin(t);
    Task& task = next.tasks[t];
    task.data = target(next) + begin;
    task.bytes = std::min(begin + next.split.task_bytes, next.bytes) - begin;
    helpers_.push(task);
  }
}

std::size_t TcpReceiver::contiguous(const Message& of) const {
  if (of.on_control <= kHeaderBytes) return 0;
  std::size_t bytes = of.on_control - kHeaderBytes;
  if (bytes < of.split.control || of.split.tasks == 0) return bytes;
  for (std::size_t t = 0; t < of.split.tasks; ++t) {
    const std::size_t size =
        std::min(of.split.begin(t) + of.split.task_bytes, of.bytes) - of.split.begin(t);
    const std::size_t moved = of.tasks[t].moved.load();
    bytes += moved;
    if (moved < size) break;
  }
  return bytes;
}

std::span<const std::byte> TcpReceiver::arrived() const {
  if (taken_ == posted_) return {};
  const Message& oldest = messages_[taken_ % kStepsInFlight];
  const std::size_t ready = contiguous(oldest) - oldest.taken;
  return {is_window(oldest) ? oldest.own + window_ : target(oldest) + oldest.taken, ready};
}

void TcpReceiver::take(std::size_t bytes) {
  Message& oldest = message(taken_);
  oldest.taken += bytes;
  window_ += bytes;
  if (oldest.taken < oldest.bytes) return;
  ++taken_;
  seen_ = 0;
  window_ = 0;
}

}  // namespace ringwise::transport::tcp
