// A byte mover between neighbouring ranks: what collectives see of any transport.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace ringwise::transport {

/// Longest message. source: NCCL 2.30.7, NCCL_BUFFSIZE (4 MiB) / NCCL_STEPS (8)
inline constexpr std::size_t kMaxStepBytes = std::size_t{512} << 10;
/// Messages of one connection that may be under way. source: NCCL 2.30.7, NCCL_STEPS
inline constexpr std::size_t kStepsInFlight = 8;

/// The other end of a connection, for messages to people.
struct Peer {
  int rank = 0;
  std::string host;
  std::string interface;  ///< own interface; empty when the transport has none
  /// What is being done; shared with the caller, who changes it between operations.
  std::shared_ptr<const std::string> step;

  /// "rank 2 (node3) over eth0"
  [[nodiscard]] std::string text() const;
  /// `sign` is one of ErrorPlace's words, null = none.
  [[nodiscard]] PlacedError error(ErrorKind kind, const std::string& text,
                                  const char* sign = nullptr) const;
};

/// The sending end of one directed connection. Messages keep their order. Used by one thread.
/// Nothing waits; everything that meets a broken connection throws PlacedError.
class Sender {
 public:
  Sender() = default;
  virtual ~Sender() = default;
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;
  Sender(Sender&&) = delete;
  Sender& operator=(Sender&&) = delete;

  /// False when kStepsInFlight messages are under way, or the last one is not fully offered.
  [[nodiscard]] virtual bool can_post() const = 0;
  /// Begins a message of 1 to kMaxStepBytes bytes. They stay where they are until is_idle(), and
  /// none is sent before it is offered.
  virtual void post(std::span<const std::byte> message) = 0;
  /// So many more bytes of the last message are ready to go.
  virtual void offer(std::size_t bytes) = 0;
  /// Moves what can be moved now. True when something moved.
  virtual bool progress() = 0;
  /// Everything posted has left the caller's memory.
  [[nodiscard]] virtual bool is_idle() const = 0;
  /// Offered bytes that could not be moved: the peer or the path does not take them.
  [[nodiscard]] virtual bool is_blocked() const = 0;
  /// Packets that left and that the peer has not acknowledged; 0 where the transport has none.
  [[nodiscard]] virtual std::uint64_t unacknowledged() const { return 0; }
  /// Bytes that the peer has acknowledged so far; 0 where the transport has no acknowledgements.
  [[nodiscard]] virtual std::uint64_t acknowledged_bytes() const { return 0; }
  [[nodiscard]] virtual const Peer& peer() const = 0;
};

/// The receiving end, with the same rules.
class Receiver {
 public:
  Receiver() = default;
  virtual ~Receiver() = default;
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  Receiver(Receiver&&) = delete;
  Receiver& operator=(Receiver&&) = delete;

  [[nodiscard]] virtual bool can_post() const = 0;
  /// Expects a message of exactly `bytes`. It lands at `landing`; where that is null, in memory of
  /// the transport that is reused once taken. Throws PlacedError(kPeer) in progress() when the
  /// peer sends another size.
  virtual void post(std::size_t bytes, std::byte* landing) = 0;
  virtual bool progress() = 0;
  /// The next bytes, in order, of the oldest message that is not fully taken. Valid until take().
  [[nodiscard]] virtual std::span<const std::byte> arrived() const = 0;
  /// The caller is done with the first `bytes` of arrived().
  virtual void take(std::size_t bytes) = 0;
  /// Messages posted and not fully taken.
  [[nodiscard]] virtual std::size_t posted() const = 0;
  [[nodiscard]] virtual const Peer& peer() const = 0;
};

/// Blocks until a connection may be able to move again.
class Waiter {
 public:
  Waiter() = default;
  virtual ~Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  Waiter(Waiter&&) = delete;
  Waiter& operator=(Waiter&&) = delete;

  /// What moves from now on ends the next wait(). Call progress() of every end once more before
  /// waiting.
  virtual void prepare() = 0;
  /// Returns after `milliseconds` at the latest, and may return early for no reason.
  virtual void wait(int milliseconds) = 0;
};

/// One rank's connections in a ring; index = channel.
struct Links {
  std::unique_ptr<Waiter> waiter;  ///< first, so that it outlives the ends
  std::vector<std::unique_ptr<Sender>> to_next;
  std::vector<std::unique_ptr<Receiver>> from_previous;
  /// The other direction of channel 0, for messages that fit a transport's own memory; null where
  /// the transport has none.
  std::unique_ptr<Sender> to_previous;
  std::unique_ptr<Receiver> from_next;
};

}  // namespace ringwise::transport
