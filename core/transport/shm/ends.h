// Sender and receiver of a connection through shared memory.
#pragma once

#include <array>

#include "transport/shm/layout.h"
#include "transport/transport.h"

namespace ringwise::transport::shm {

/// Bytes copied in one go: the other side can use them while the next are copied, and they are
/// still in a shared cache.
inline constexpr std::size_t kCopyBytes = std::size_t{64} << 10;

class ShmSender final : public Sender {
 public:
  /// Fills `queue`, whose slots lie at `slots`, and rings the bell of the rank that empties it.
  ShmSender(Queue& queue, std::byte* slots, Bell& bell, Peer peer)
      : queue_(queue), slots_(slots), bell_(bell), peer_(std::move(peer)) {}

  [[nodiscard]] bool can_post() const override;
  void post(std::span<const std::byte> message) override;
  void offer(std::size_t bytes) override;
  bool progress() override;
  [[nodiscard]] bool is_idle() const override { return posted_ == finished_; }
  [[nodiscard]] bool is_blocked() const override;
  [[nodiscard]] const Peer& peer() const override { return peer_; }

 private:
  struct Message {
    std::span<const std::byte> data;
    std::size_t offered = 0;
    std::size_t written = 0;
  };
  [[nodiscard]] Message& message(std::uint64_t number) {
    return messages_[number % kStepsInFlight];
  }

  Queue& queue_;
  std::byte* slots_;
  Bell& bell_;
  Peer peer_;
  std::array<Message, kStepsInFlight> messages_;
  std::uint64_t posted_ = 0;
  std::uint64_t finished_ = 0;
};

class ShmReceiver final : public Receiver {
 public:
  ShmReceiver(Queue& queue, std::byte* slots, Bell& bell, Peer peer)
      : queue_(queue), slots_(slots), bell_(bell), peer_(std::move(peer)) {}

  [[nodiscard]] bool can_post() const override { return posted_ - taken_ < kStepsInFlight; }
  void post(std::size_t bytes, std::byte* landing) override;
  bool progress() override;
  [[nodiscard]] std::span<const std::byte> arrived() const override;
  void take(std::size_t bytes) override;
  [[nodiscard]] std::size_t posted() const override {
    return static_cast<std::size_t>(posted_ - taken_);
  }
  [[nodiscard]] const Peer& peer() const override { return peer_; }

 private:
  struct Message {
    std::size_t bytes = 0;
    std::byte* landing = nullptr;
    std::size_t here = 0;   ///< bytes that have come (and lie at landing)
    std::size_t taken = 0;  ///< by the caller
  };
  [[nodiscard]] const std::byte* slot(std::uint64_t number) const {
    return slots_ + (number % kStepsInFlight) * kMaxStepBytes;
  }

  Queue& queue_;
  const std::byte* slots_;
  Bell& bell_;
  Peer peer_;
  std::array<Message, kStepsInFlight> messages_;
  std::uint64_t posted_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace ringwise::transport::shm
