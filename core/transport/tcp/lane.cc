#include "transport/tcp/lane.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "transport/tcp/socket.h"

namespace ringwise::transport::tcp {
namespace {

/// Rounds without a byte after which a helper sleeps in poll.
constexpr int kSpins = 20;
/// How long a helper sleeps at most; a lost wake-up costs no more than this.
constexpr int kSleepMs = 100;

base::FileDescriptor make_eventfd() {
  return base::FileDescriptor(base::check_rc(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd"));
}

/// Full (EAGAIN) means that it has rung already.
void ring_fd(int fd) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto rc = write(fd, &one, sizeof(one));
}

/// Empty (EAGAIN) means that it had not rung.
void clear_fd(int fd) {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto rc = read(fd, &count, sizeof(count));
}

/// A function of its own, so that tests/support/tsan.supp can name it and nothing else.
Moved send_payload(int fd, const iovec& part) {
  return try_send(fd, {&part, 1});
}

}  // namespace

Doorbell::Doorbell() : fd_(make_eventfd()) {}

void Doorbell::disarm() {
  is_armed_.store(false);
  clear_fd(fd_.get());
}

void Doorbell::ring() {
  if (is_armed_.exchange(false)) ring_fd(fd_.get());
}

void Lane::push(Task& task) {
  const auto at = pushed_.load(std::memory_order_relaxed);
  tasks_[at % kMaxTasks] = &task;
  pushed_.store(at + 1);
}

bool Lane::has_task() const {
  return error_.load() == 0 && finished_.load() != pushed_.load();
}

short Lane::poll_events() const {
  return direction_ == Direction::kSend ? POLLOUT : POLLIN;
}

bool Lane::progress() {
  bool has_moved = false;
  while (has_task()) {
    const auto at = finished_.load(std::memory_order_relaxed);
    Task& task = *tasks_[at % kMaxTasks];
    const auto before = task.moved.load(std::memory_order_relaxed);
    iovec part{task.data + before, task.bytes - before};
    const Moved moved =
        direction_ == Direction::kSend ? send_payload(fd(), part) : try_receive(fd(), {&part, 1});
    if (moved.error != 0) {
      error_.store(moved.error);
      return true;
    }
    if (moved.bytes == 0) return has_moved;
    has_moved = true;
    const bool is_done = before + moved.bytes == task.bytes;
    // The progress thread may reuse the task as soon as it sees it complete: leave it first.
    if (is_done) finished_.store(at + 1);
    task.moved.store(before + moved.bytes);
    if (!is_done && direction_ == Direction::kReceive) return true;
  }
  return has_moved;
}

Helpers::Helpers(std::vector<base::FileDescriptor> sockets, int threads, Direction direction,
                 Doorbell& doorbell)
    : doorbell_(doorbell) {
  for (auto& fd : sockets) lanes_.push_back(std::make_unique<Lane>(std::move(fd), direction));
  const auto count = lanes_.empty() ? std::size_t{0} : static_cast<std::size_t>(threads);
  for (std::size_t i = 0; i < count; ++i) {
    auto worker = std::make_unique<Worker>();
    worker->wake = make_eventfd();
    for (std::size_t lane = i; lane < lanes_.size(); lane += count) {
      worker->lanes.push_back(lanes_[lane].get());
    }
    workers_.push_back(std::move(worker));
  }
  for (auto& worker : workers_) {
    worker->thread = std::thread([this, &mine = *worker] { run(mine); });
  }
}

Helpers::~Helpers() {
  is_stopping_.store(true);
  for (auto& worker : workers_) ring_fd(worker->wake.get());
  for (auto& worker : workers_) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

void Helpers::push(Task& task) {
  lanes_[next_lane_]->push(task);
  Worker& worker = *workers_[next_lane_ % workers_.size()];
  next_lane_ = (next_lane_ + 1) % lanes_.size();
  if (worker.is_asleep.exchange(false)) ring_fd(worker.wake.get());
}

std::vector<int> Helpers::fds() const {
  std::vector<int> fds;
  fds.reserve(lanes_.size());
  for (const auto& lane : lanes_) fds.push_back(lane->fd());
  return fds;
}

void Helpers::throw_if_failed(const Peer& peer) const {
  for (const auto& lane : lanes_) {
    if (const int error = lane->error(); error != 0) bytes_or_throw({0, error}, peer);
  }
}

void Helpers::run(Worker& worker) {
  int idle = 0;
  while (!is_stopping_.load()) {
    bool has_moved = false;
    for (auto* lane : worker.lanes) has_moved = lane->progress() || has_moved;
    if (has_moved) {
      doorbell_.ring();
      idle = 0;
    } else if (++idle >= kSpins) {
      sleep(worker);
      idle = 0;
    } else {
      sched_yield();
    }
  }
}

void Helpers::sleep(Worker& worker) {
  std::array<pollfd, 65> polls{};
  std::size_t count = 0;
  worker.is_asleep.store(true);
  polls[count++] = {worker.wake.get(), POLLIN, 0};
  for (const auto* lane : worker.lanes) {
    if (lane->has_task() && count < polls.size()) {
      polls[count++] = {lane->fd(), lane->poll_events(), 0};
    }
  }
  poll(polls.data(), count, kSleepMs);
  worker.is_asleep.store(false);
  clear_fd(worker.wake.get());
}

}  // namespace ringwise::transport::tcp
