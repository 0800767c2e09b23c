// How NCCL's socket transport cuts a message over the sockets of a connection.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ringwise::transport::tcp {

/// Every message begins with its size on the control socket: 4 bytes in NCCL, here filled up to a
/// cache line, because processors copy much slower when source and target differ by 1 to 15 bytes
/// modulo 4096. The kernel puts what is sent at the start of a page where it can: a buffer that
/// begins on a page, after 4 bytes, was copied at 3.4 in place of 45 GB/s (AMD Zen 4, rep movsb).
inline constexpr std::size_t kHeaderBytes = 64;
/// source: NCCL 2.30.7 src/transport/net_socket.cc, NCCL_SOCKET_INLINE
inline constexpr std::size_t kInlineBytes = 128;
/// source: NCCL 2.30.7 src/transport/net_socket.cc, NCCL_SOCKET_MIN_TASKSIZE
inline constexpr std::size_t kMinTaskBytes = std::size_t{64} << 10;
/// A step of 512 KiB in tasks of at least 64 KiB.
inline constexpr std::size_t kMaxTasksPerMessage = 8;

struct Split {
  std::size_t control = 0;  ///< payload bytes on the control socket
  std::size_t tasks = 0;
  std::size_t task_bytes = 0;  ///< of every task but the last, which may be shorter

  /// Payload offset where task `i` begins.
  [[nodiscard]] std::size_t begin(std::size_t i) const { return control + i * task_bytes; }
};

/// `sockets` data sockets; 0 = the control socket takes the whole message.
[[nodiscard]] inline Split split_message(std::size_t bytes, std::size_t sockets) {
  if (sockets == 0) return {bytes, 0, 0};
  Split split{std::min(bytes, kInlineBytes), 0, 0};
  const std::size_t rest = bytes - split.control;
  if (rest == 0) return split;
  split.task_bytes = std::max(kMinTaskBytes, (rest + sockets - 1) / sockets);
  split.tasks = (rest + split.task_bytes - 1) / split.task_bytes;
  return split;
}

}  // namespace ringwise::transport::tcp
