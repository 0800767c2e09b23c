// What lies in the shared memory of one rank: its bell and the slots that its previous rank fills.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "transport/transport.h"

namespace ringwise::transport::shm {

/// A futex that wakes the rank which owns it; neighbours ring it when they moved something.
struct alignas(64) Bell {
  std::atomic<std::uint32_t> rings;
  std::atomic<std::uint32_t> is_waiting;

  /// Wakes the owner if it waits.
  void ring();
  /// Owner: what is rung from now on ends the next wait.
  void arm();
  void wait(int milliseconds);

 private:
  std::uint32_t seen_;  ///< owner only
};

/// One directed connection: message n stands in slot n mod kStepsInFlight.
struct alignas(64) Queue {
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> written;  ///< bytes of the message that stand there
    std::atomic<std::uint64_t> bytes;    ///< of the whole message
  };
  alignas(64) std::atomic<std::uint64_t> begun;  ///< messages that the sender has begun
  alignas(64) std::atomic<std::uint64_t> taken;  ///< messages that the receiver is done with
  std::array<Slot, kStepsInFlight> slots;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// Offsets inside a segment of `channels` incoming connections.
class Layout {
 public:
  explicit Layout(int channels) : channels_(static_cast<std::size_t>(channels)) {}

  [[nodiscard]] std::size_t bytes() const {
    return kHeadBytes + channels_ * (kQueueBytes + kStepsInFlight * kMaxStepBytes);
  }
  /// Fresh segments are zero, which is what bell and queues begin as.
  [[nodiscard]] Bell& bell(std::byte* base) const { return *reinterpret_cast<Bell*>(base); }
  [[nodiscard]] Queue& queue(std::byte* base, int channel) const {
    return *reinterpret_cast<Queue*>(base + kHeadBytes +
                                     static_cast<std::size_t>(channel) * kQueueBytes);
  }
  [[nodiscard]] std::byte* slots(std::byte* base, int channel) const {
    return base + kHeadBytes + channels_ * kQueueBytes +
           static_cast<std::size_t>(channel) * kStepsInFlight * kMaxStepBytes;
  }

 private:
  static constexpr std::size_t kHeadBytes = 4096;
  static constexpr std::size_t kQueueBytes = 4096;
  static_assert(sizeof(Bell) <= kHeadBytes && sizeof(Queue) <= kQueueBytes);
  std::size_t channels_;
};

}  // namespace ringwise::transport::shm
