#include "transport/tcp/sender.h"

#include <cstring>
#include <utility>

namespace ringwise::transport::tcp {

TcpSender::TcpSender(Sockets sockets, Peer peer, Doorbell& doorbell)
    : control_(std::move(sockets.control)),
      peer_(std::move(peer)),
      helpers_(std::move(sockets.data), sockets.threads, Direction::kSend, doorbell) {}

bool TcpSender::can_post() const {
  if (posted_ == finished_) return true;
  const Message& last = messages_[(posted_ - 1) % kStepsInFlight];
  return posted_ - finished_ < kStepsInFlight && last.offered == last.data.size();
}

void TcpSender::post(std::span<const std::byte> bytes) {
  Message& next = message(posted_++);
  next.data = bytes;
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::memcpy(next.header.data(), &size, sizeof(size));
  next.offered = 0;
  next.split = split_message(bytes.size(), helpers_.lanes());
  next.on_control = 0;
  next.given = 0;
}

void TcpSender::offer(std::size_t bytes) {
  message(posted_ - 1).offered += bytes;
}

bool TcpSender::is_blocked() const {
  for (std::size_t i = finished_; i != posted_; ++i) {
    const Message& waiting = messages_[i % kStepsInFlight];
    if (i >= controlled_ && waiting.offered > 0 &&
        waiting.on_control < kHeaderBytes + std::min(waiting.offered, waiting.split.control)) {
      return true;
    }
    for (std::size_t t = 0; t < waiting.given; ++t) {
      if (waiting.tasks[t].moved.load() < waiting.tasks[t].bytes) {
        return true;
      }
    }
  }
  return false;
}

std::uint64_t TcpSender::unacknowledged() const {
  std::uint64_t segments = stats().unacked;
  for (const int fd : helpers_.fds()) segments += tcp_stats(fd).unacked;
  return segments;
}

std::uint64_t TcpSender::acknowledged_bytes() const {
  std::uint64_t bytes = stats().acked_bytes;
  for (const int fd : helpers_.fds()) bytes += tcp_stats(fd).acked_bytes;
  return bytes;
}

bool TcpSender::progress() {
  bool has_moved = false;
  is_full_ = false;
  while (controlled_ != posted_) {
    Message& next = message(controlled_);
    if (next.offered == 0) break;
    has_moved = send_control(next) || has_moved;
    if (next.on_control < kHeaderBytes + next.split.control) break;
    give_tasks(next);
    if (next.given < next.split.tasks) break;
    ++controlled_;
  }
  if (helpers_.lanes() > 0) helpers_.throw_if_failed(peer_);
  return finish_messages() || has_moved;
}

bool TcpSender::send_control(Message& next) {
  const std::size_t ready = kHeaderBytes + std::min(next.offered, next.split.control);
  if (next.on_control >= ready) return false;
  std::array<iovec, 2> parts{};
  std::size_t count = 0;
  if (next.on_control < kHeaderBytes) {
    parts[count++] = {next.header.data() + next.on_control, kHeaderBytes - next.on_control};
  }
  const std::size_t from = std::max(next.on_control, kHeaderBytes);
  if (from < ready) {
    parts[count++] = {const_cast<std::byte*>(next.data.data()) + (from - kHeaderBytes),
                      ready - from};
  }
  const auto bytes = bytes_or_throw(try_send(control_.get(), {parts.data(), count}), peer_);
  next.on_control += bytes;
  is_full_ = next.on_control < ready;
  return bytes > 0;
}

void TcpSender::give_tasks(Message& next) {
  while (next.given < next.split.tasks) {
    const std::size_t begin = next.split.begin(next.given);
    const std::size_t end = std::min(begin + next.split.task_bytes, next.data.size());
    if (next.offered < end) return;
    Task& task = next.tasks[next.given++];
    task.data = const_cast<std::byte*>(next.data.data()) + begin;
    task.bytes = end - begin;
    task.moved.store(0, std::memory_order_relaxed);
    helpers_.push(task);
  }
}

bool TcpSender::finish_messages() {
  const std::size_t before = finished_;
  while (finished_ != controlled_) {
    const Message& oldest = message(finished_);
    for (std::size_t t = 0; t < oldest.split.tasks; ++t) {
      if (oldest.tasks[t].moved.load() < oldest.tasks[t].bytes) {
        return finished_ != before;
      }
    }
    ++finished_;
  }
  return finished_ != before;
}

}  // namespace ringwise::transport::tcp
