// One TCP connection between the two ranks of a pair, and what is measured over it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/deadline.h"
#include "base/handle.h"
#include "transport/tcp/socket.h"
#include "transport/transport.h"

namespace ringwise::probe {

/// Payload of one message of the bandwidth part.
inline constexpr std::size_t kPairChunk = std::size_t{128} << 10;

/// One transfer, as this end knows it.
struct Transfer {
  double bytes_per_s = 0;           ///< that the receiver saw after a warm-up
  std::uint64_t payload_bytes = 0;  ///< that this end sent, warm-up included
  /// CPU time of each end's thread during the transfer, seconds.
  double sender_cpu_s = 0;
  double receiver_cpu_s = 0;
};

/// Both ends call the same functions in the same order. Every wait ends when nothing moved for
/// the stall limit, or at the stage's end, with PlacedError(kTimeout) that names the peer.
class PairLink {
 public:
  PairLink(base::FileDescriptor fd, transport::Peer peer, base::Nanoseconds stall,
           base::Deadline end)
      : fd_(std::move(fd)), peer_(std::move(peer)), stall_(stall), end_(end) {}

  /// Half round trips of 8 bytes in microseconds, at most `most` and about `span` long. The
  /// `is_first` end times them; the other answers and gets none.
  [[nodiscard]] std::vector<double> latencies(bool is_first, int most, base::Nanoseconds span);

  /// One way, for about `span`. Both ends learn the rate; the sender learns the rest.
  [[nodiscard]] Transfer one_way(bool i_send, base::Nanoseconds span);

  /// Both ends send at once. The rate is what the peer saw of what this rank sent; CPU times are
  /// not told apart.
  [[nodiscard]] Transfer both_ways(base::Nanoseconds span);

  /// For other talk between the two ends: the socket, and its far end.
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] const transport::Peer& peer() const { return peer_; }
  [[nodiscard]] base::Nanoseconds stall() const { return stall_; }
  /// From here on a wait ends after `limit` where that is shorter.
  void shorten_stall(base::Nanoseconds limit) { stall_ = std::min(stall_, limit); }
  /// Sends a few bytes, waiting like everything here.
  void send_all(const void* data, std::size_t bytes);

  [[nodiscard]] transport::tcp::TcpStats stats() const;
  [[nodiscard]] std::uint64_t bytes_sent() const { return sent_; }
  [[nodiscard]] std::uint64_t bytes_received() const { return received_; }

 private:
  /// What is under way in one direction: messages of a length and that many bytes; the length 0
  /// ends it.
  struct Flow {
    bool is_active = false;
    std::uint64_t header = 0;
    std::size_t header_done = 0;
    std::uint64_t left = 0;     ///< payload of the current message
    std::uint64_t payload = 0;  ///< moved in all messages
  };
  /// What the peer is told at the end of a transfer.
  struct Seen {
    double bytes_per_s = 0;
    double cpu_s = 0;
  };
  struct Ran {
    Seen seen;                        ///< received after the warm-up
    std::uint64_t payload_bytes = 0;  ///< sent
  };
  /// Runs the directions at once for about `span`.
  Ran run(bool sends, bool receives, base::Nanoseconds span);
  std::size_t advance_send(Flow& flow, base::Deadline until);
  std::size_t advance_receive(Flow& flow);
  void receive_all(void* data, std::size_t bytes);
  void wait(bool wants_to_send, bool wants_to_receive, base::Clock::time_point last_move);
  [[noreturn]] void throw_stalled(const transport::tcp::TcpStats& seen, const char* what,
                                  base::Nanoseconds idle) const;
  template <typename T>
  void send_value(const T& value) {
    send_all(&value, sizeof value);
  }
  template <typename T>
  [[nodiscard]] T receive_value() {
    T value{};
    receive_all(&value, sizeof value);
    return value;
  }

  base::FileDescriptor fd_;
  transport::Peer peer_;
  base::Nanoseconds stall_;
  base::Deadline end_;
  std::vector<std::byte> send_buffer_ = std::vector<std::byte>(kPairChunk);
  std::vector<std::byte> receive_buffer_ = std::vector<std::byte>(kPairChunk);
  base::Clock::time_point watched_;  ///< the wait, by its last move, that acked_then_ belongs to
  std::uint64_t acked_then_ = 0;     ///< bytes, early in that wait
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace ringwise::probe
