// The sending end of a TCP connection that is split as NCCL splits it.
#pragma once

#include <array>
#include <memory>

#include "base/handle.h"
#include "transport/tcp/lane.h"
#include "transport/tcp/socket.h"
#include "transport/tcp/split.h"
#include "transport/transport.h"

namespace ringwise::transport::tcp {

/// The sockets of one directed connection; `data` is empty when the control socket moves all.
struct Sockets {
  base::FileDescriptor control;
  std::vector<base::FileDescriptor> data;
  int threads = 0;
};

class TcpSender final : public Sender {
 public:
  /// `doorbell` outlives the sender.
  TcpSender(Sockets sockets, Peer peer, Doorbell& doorbell);

  [[nodiscard]] bool can_post() const override;
  void post(std::span<const std::byte> message) override;
  void offer(std::size_t bytes) override;
  bool progress() override;
  [[nodiscard]] bool is_idle() const override { return posted_ == finished_; }
  [[nodiscard]] bool is_blocked() const override;
  [[nodiscard]] const Peer& peer() const override { return peer_; }

  [[nodiscard]] std::uint64_t unacknowledged() const override;
  [[nodiscard]] std::uint64_t acknowledged_bytes() const override;
  [[nodiscard]] int control_fd() const { return control_.get(); }
  /// The control socket would have waited: poll it for POLLOUT.
  [[nodiscard]] bool is_control_full() const { return is_full_; }
  [[nodiscard]] TcpStats stats() const { return tcp_stats(control_.get()); }

 private:
  struct Message {
    std::span<const std::byte> data;
    std::array<std::byte, kHeaderBytes> header{};
    std::size_t offered = 0;
    Split split;
    std::size_t on_control = 0;  ///< bytes that the control socket has taken, header included
    std::size_t given = 0;       ///< tasks handed to lanes
    std::array<Task, kMaxTasksPerMessage> tasks;
  };

  [[nodiscard]] Message& message(std::size_t number) { return messages_[number % kStepsInFlight]; }
  bool send_control(Message& message);
  void give_tasks(Message& message);
  bool finish_messages();

  base::FileDescriptor control_;
  Peer peer_;
  Helpers helpers_;
  std::array<Message, kStepsInFlight> messages_;
  std::size_t posted_ = 0;
  std::size_t controlled_ = 0;  ///< messages whose control part has gone
  std::size_t finished_ = 0;
  bool is_full_ = false;
};

}  // namespace ringwise::transport::tcp
