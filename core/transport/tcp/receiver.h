// The receiving end of a TCP connection that is split as NCCL splits it.
#pragma once

#include <array>

#include "base/handle.h"
#include "memory/buffer.h"
#include "transport/tcp/lane.h"
#include "transport/tcp/sender.h"
#include "transport/tcp/split.h"
#include "transport/transport.h"

namespace ringwise::transport::tcp {

class TcpReceiver final : public Receiver {
 public:
  /// Bytes that one call reads at most from the control socket. Small enough to be still in the
  /// cache when they are reduced and sent on, large enough to spread the cost of the call.
  static constexpr std::size_t kReadBytes = std::size_t{128} << 10;

  /// `doorbell` outlives the receiver.
  TcpReceiver(Sockets sockets, Peer peer, Doorbell& doorbell);

  [[nodiscard]] bool can_post() const override { return posted_ - taken_ < kStepsInFlight; }
  void post(std::size_t bytes, std::byte* landing) override;
  bool progress() override;
  [[nodiscard]] std::span<const std::byte> arrived() const override;
  void take(std::size_t bytes) override;
  [[nodiscard]] std::size_t posted() const override { return posted_ - taken_; }
  [[nodiscard]] const Peer& peer() const override { return peer_; }

  [[nodiscard]] int control_fd() const { return control_.get(); }
  /// The control socket owes bytes and there is room for them: poll it for POLLIN.
  [[nodiscard]] bool wants_control() const { return controlled_ != posted_; }

 private:
  struct Message {
    std::size_t bytes = 0;
    std::byte* landing = nullptr;  ///< null = own memory
    std::byte* own = nullptr;      ///< where own memory for it begins
    Split split;
    std::array<std::byte, kHeaderBytes> header{};
    std::size_t on_control = 0;  ///< bytes that came over the control socket, header included
    std::size_t taken = 0;
    std::array<Task, kMaxTasksPerMessage> tasks;
  };

  [[nodiscard]] Message& message(std::size_t number) { return messages_[number % kStepsInFlight]; }
  /// It passes through own memory that is reused at every read.
  [[nodiscard]] bool is_window(const Message& message) const {
    return message.landing == nullptr && helpers_.lanes() == 0;
  }
  [[nodiscard]] std::byte* target(const Message& message) const;
  bool read_control(Message& message);
  void check_header(const Message& message) const;
  void give_tasks(Message& message);
  [[nodiscard]] std::size_t contiguous(const Message& message) const;

  base::FileDescriptor control_;
  Peer peer_;
  memory::Buffer own_;
  std::array<Message, kStepsInFlight> messages_;
  Helpers helpers_;
  std::size_t posted_ = 0;
  std::size_t controlled_ = 0;
  std::size_t taken_ = 0;
  std::size_t window_ = 0;  ///< where the untaken bytes begin in the window
  std::size_t seen_ = 0;    ///< contiguous bytes of the oldest message at the last progress()
};

}  // namespace ringwise::transport::tcp
