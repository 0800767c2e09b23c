#include "comm/frames.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"

namespace ringwise::comm {
namespace {

constexpr std::size_t kHeader = 1 + sizeof(std::uint32_t);

/// Waits until the descriptor is ready for `events`; false when the deadline passed.
bool wait_for(int fd, short events, base::Deadline deadline) {
  while (true) {
    pollfd entry{.fd = fd, .events = events, .revents = 0};
    const int ready = ::poll(&entry, 1, deadline.poll_ms());
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) base::check_rc(ready, "poll");
    if (deadline.has_passed()) return false;
  }
}

}  // namespace

void FrameChannel::send(FrameType type, std::string_view body, base::Deadline deadline) {
  if (try_send(type, body, deadline)) return;
  if (deadline.has_passed()) {
    throw Error(ErrorKind::kTimeout, "the other process does not read its messages");
  }
  throw Error(ErrorKind::kPeer, "the other process is gone");
}

bool FrameChannel::try_send(FrameType type, std::string_view body, base::Deadline deadline) {
  if (body.size() > kLongestBody) {
    throw Error(ErrorKind::kInternal,
                fmt::format("a message of {} bytes is too long", body.size()));
  }
  std::string bytes(kHeader, '\0');
  bytes[0] = static_cast<char>(type);
  const auto length = static_cast<std::uint32_t>(body.size());
  std::memcpy(bytes.data() + 1, &length, sizeof length);
  bytes.append(body);
  std::string_view left = bytes;
  while (!left.empty()) {
    const auto put = ::send(fd_, left.data(), left.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put >= 0) {
      left.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(fd_, POLLOUT, deadline)) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool FrameChannel::has_frame(base::Deadline deadline) {
  return !buffer_.empty() || wait_for(fd_, POLLIN, deadline);
}

Arrival FrameChannel::fill(base::Deadline deadline, std::size_t wanted) {
  char chunk[65536];
  while (buffer_.size() < wanted) {
    const auto got = ::recv(fd_, chunk, sizeof chunk, MSG_DONTWAIT);
    if (got > 0) {
      buffer_.append(chunk, static_cast<std::size_t>(got));
    } else if (got == 0 || errno == ECONNRESET) {
      return Arrival::kClosed;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(fd_, POLLIN, deadline)) return Arrival::kLate;
    } else if (errno != EINTR) {
      base::check_rc(-1, "recv");
    }
  }
  return Arrival::kFrame;
}

std::optional<Frame> FrameChannel::receive(base::Deadline deadline) {
  Frame frame;
  switch (try_receive(frame, deadline)) {
    case Arrival::kFrame:
      return frame;
    case Arrival::kClosed:
      return std::nullopt;
    case Arrival::kLate:
      break;
  }
  throw Error(ErrorKind::kTimeout, "no message before the deadline");
}

Arrival FrameChannel::try_receive(Frame& frame, base::Deadline deadline) {
  if (const auto head = fill(deadline, kHeader); head != Arrival::kFrame) return head;
  std::uint32_t length = 0;
  std::memcpy(&length, buffer_.data() + 1, sizeof length);
  if (length > kLongestBody) throw Error(ErrorKind::kPeer, "a message with an impossible length");
  if (const auto body = fill(deadline, kHeader + length); body != Arrival::kFrame) return body;
  frame = {.type = static_cast<FrameType>(buffer_[0]), .body = buffer_.substr(kHeader, length)};
  buffer_.erase(0, kHeader + length);
  return Arrival::kFrame;
}

}  // namespace ringwise::comm
