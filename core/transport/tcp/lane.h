// Data sockets that helper threads drive, as NCCL's socket transport has them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "base/handle.h"
#include "transport/transport.h"

namespace ringwise::transport::tcp {

/// Part of a message that one data socket moves. Written by the progress thread before it is
/// pushed; then `moved` is the helper's alone.
struct Task {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::atomic<std::size_t> moved = 0;
};

/// Wakes the progress thread. Shared by all helpers of a rank.
class Doorbell {
 public:
  Doorbell();
  [[nodiscard]] int fd() const { return fd_.get(); }
  /// Progress thread: from now on helpers ring. Look once more for progress before waiting.
  void arm() { is_armed_.store(true); }
  void disarm();
  /// Helper: something moved.
  void ring();

 private:
  base::FileDescriptor fd_;
  std::atomic<bool> is_armed_ = false;
};

enum class Direction { kSend, kReceive };

/// One data socket and the tasks it has to move, in order.
class Lane {
 public:
  /// At most kStepsInFlight messages of at most 8 tasks each.
  static constexpr std::size_t kMaxTasks = 64;

  Lane(base::FileDescriptor fd, Direction direction) : fd_(std::move(fd)), direction_(direction) {}

  void push(Task& task);
  /// Helper only. True when bytes moved.
  bool progress();
  /// Helper only: there is a task at the front.
  [[nodiscard]] bool has_task() const;
  [[nodiscard]] short poll_events() const;
  [[nodiscard]] int fd() const { return fd_.get(); }
  /// 0, or why the socket failed (see Moved::error).
  [[nodiscard]] int error() const { return error_.load(); }

 private:
  base::FileDescriptor fd_;
  Direction direction_;
  std::array<Task*, kMaxTasks> tasks_{};
  std::atomic<std::uint32_t> pushed_ = 0;
  std::atomic<std::uint32_t> finished_ = 0;
  std::atomic<int> error_ = 0;
};

/// The helper threads of one connection: lane i belongs to thread i mod threads. source: NCCL
/// 2.30.7 src/transport/net_socket.cc, ncclNetSocketGetTask
class Helpers {
 public:
  Helpers(std::vector<base::FileDescriptor> sockets, int threads, Direction direction,
          Doorbell& doorbell);
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  Helpers(Helpers&&) = delete;
  Helpers& operator=(Helpers&&) = delete;

  [[nodiscard]] std::size_t lanes() const { return lanes_.size(); }
  /// Hands the task to the next lane in turn.
  void push(Task& task);
  /// The data sockets, to ask the kernel about; owned by the lanes.
  [[nodiscard]] std::vector<int> fds() const;
  /// Throws what a lane met, for this peer.
  void throw_if_failed(const Peer& peer) const;

 private:
  struct Worker {
    base::FileDescriptor wake;
    std::atomic<bool> is_asleep = false;
    std::vector<Lane*> lanes;
    std::thread thread;
  };
  void run(Worker& worker);
  void sleep(Worker& worker);

  Doorbell& doorbell_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<bool> is_stopping_ = false;
  std::size_t next_lane_ = 0;
};

}  // namespace ringwise::transport::tcp
