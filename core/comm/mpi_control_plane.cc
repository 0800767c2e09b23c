#include <mpi.h>
#include <sched.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "comm/control_plane.h"

namespace ringwise::comm {
namespace {

constexpr int kTag = 7001;
constexpr int kExitCouldNotMeasure = 3;
/// A wait that looks every millisecond and has not looked for so long did not run.
constexpr std::chrono::seconds kFrozen{3};

void check_mpi(int code, std::string_view call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(ErrorKind::kPeer, fmt::format("{}: {}", call, text));
}

/// Sleeps longer and longer, so that waiting costs the measured host nothing.
class Patience {
 public:
  void wait() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(pause_ * 2, kLongest);
  }
  void reset() { pause_ = kShortest; }

 private:
  static constexpr std::chrono::microseconds kShortest{20};
  static constexpr std::chrono::microseconds kLongest{1000};
  std::chrono::microseconds pause_ = kShortest;
};

extern "C" void leave_on_alarm(int /*signal*/) {
  constexpr std::string_view kText =
      "ringwise-probe: error: MPI did not come up or go down in time: is the control interface "
      "reachable from every host? (OMPI_MCA_btl_tcp_if_include, OMPI_MCA_oob_tcp_if_include)\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  ::_exit(kExitCouldNotMeasure);
}

/// MPI_Init and MPI_Finalize block without a way to stop them: an alarm ends the process.
class Alarm {
 public:
  explicit Alarm(base::Nanoseconds patience) {
    struct sigaction action = {};
    action.sa_handler = leave_on_alarm;
    sigaction(SIGALRM, &action, &previous_);
    itimerval timer{};
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(patience).count();
    timer.it_value.tv_sec = us / 1'000'000;
    timer.it_value.tv_usec = us % 1'000'000;
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
  ~Alarm() {
    const itimerval off{};
    setitimer(ITIMER_REAL, &off, nullptr);
    sigaction(SIGALRM, &previous_, nullptr);
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  Alarm(Alarm&&) = delete;
  Alarm& operator=(Alarm&&) = delete;

 private:
  struct sigaction previous_ = {};
};

/// Calls `on_timeout` from its thread when `deadline` passes before it is destroyed.
class Watchdog {
 public:
  Watchdog(base::Deadline deadline, std::function<void()> on_timeout)
      : thread_([this, deadline, act = std::move(on_timeout)] {
          std::unique_lock lock(mutex_);
          if (!stopped_.wait_until(lock, deadline.at(), [this] { return is_stopped_; })) act();
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      is_stopped_ = true;
    }
    stopped_.notify_all();
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  Watchdog(Watchdog&&) = delete;
  Watchdog& operator=(Watchdog&&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool is_stopped_ = false;
  std::thread thread_;
};

class MpiControlPlane final : public ControlPlane {
 public:
  MpiControlPlane(int* argc, char*** argv, JoinOptions options)
      : is_interrupted_(std::move(options.is_interrupted)) {
    {
      const Alarm alarm(options.patience);
      check_mpi(MPI_Init(argc, argv), "MPI_Init");
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] std::string description() const override {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(text, &length);
    const std::string_view all(text, static_cast<std::size_t>(length));
    return std::string(all.substr(0, std::min(all.find(','), all.find('\n'))));
  }

  std::vector<std::optional<std::string>> gather(const std::string& mine,
                                                 base::Deadline deadline) override {
    if (rank_ != 0) {
      if (!send(mine, 0, deadline)) {
        throw Error(ErrorKind::kTimeout, "rank 0 does not take messages on the control interface");
      }
      return {};
    }
    std::vector<std::optional<std::string>> texts(static_cast<std::size_t>(size_));
    texts[0] = mine;
    std::size_t missing = texts.size() - 1;
    const auto take = [&](int source, std::string text) {
      auto& place = texts[static_cast<std::size_t>(source)];
      if (place) {
        early_.emplace_back(source, std::move(text));
        return;
      }
      place = std::move(text);
      --missing;
    };
    for (auto& [source, text] : std::exchange(early_, {})) take(source, std::move(text));
    // Who comes too late to wait cannot say that the others were silent.
    if (missing > 0 && deadline.has_passed()) {
      throw Error(ErrorKind::kTimeout,
                  "the supervisor of rank 0 was stopped, or was held up (by MPI or a busy host), "
                  "beyond the end of the stage");
    }
    Patience patience;
    auto last_look = base::Clock::now();
    while (missing > 0 && !deadline.has_passed()) {
      throw_if_interrupted();
      throw_if_frozen(last_look);
      int source = 0;
      if (auto text = receive_from_any(deadline, source)) {
        take(source, std::move(*text));
        patience.reset();
      } else {
        patience.wait();
      }
    }
    if (missing > 0) throw_if_frozen(last_look);
    return texts;
  }

  std::string broadcast(const std::string& text, base::Deadline deadline) override {
    if (rank_ == 0) {
      send_to_all(text, deadline);
      return text;
    }
    Patience patience;
    while (!deadline.has_passed()) {
      throw_if_interrupted();
      int source = 0;
      if (auto received = receive_from_any(deadline, source)) return *received;
      patience.wait();
    }
    throw Error(ErrorKind::kTimeout, "rank 0 stays silent on the control interface");
  }

  AllreduceTimes time_allreduce(const AllreduceRun& run) override {
    const auto count = static_cast<std::size_t>(run.bytes / sizeof(float));
    std::vector<float> in(count);
    std::vector<float> out(count);
    for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<float>(i % 251) + 1.0F;
    AllreduceTimes times;
    const Watchdog watchdog(run.deadline, run.on_timeout);
    for (int i = -run.warmups; i < run.iterations; ++i) {
      const auto start = base::Clock::now();
      check_mpi(MPI_Allreduce(in.data(), out.data(), static_cast<int>(count), MPI_FLOAT, MPI_SUM,
                              MPI_COMM_WORLD),
                "MPI_Allreduce");
      const std::chrono::duration<double, std::micro> took = base::Clock::now() - start;
      if (i >= 0) times.us.push_back(took.count());
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (out[i] != in[i] * static_cast<float>(size_)) ++times.wrong;
    }
    return times;
  }

  [[noreturn]] void abort(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

  bool leave(base::Deadline deadline) override {
    // A farewell with a deadline first: MPI_Finalize would wait for a lost rank for ever. It goes
    // over the star too, because a barrier of MPI needs paths between the other ranks.
    if (!(rank_ == 0 ? take_farewells(deadline) : say_farewell(deadline))) return false;
    const Alarm alarm(std::max<base::Nanoseconds>(deadline.left(), std::chrono::seconds(2)));
    check_mpi(MPI_Finalize(), "MPI_Finalize");
    return true;
  }

 private:
  static bool finish(MPI_Request& request, base::Deadline deadline) {
    Patience patience;
    while (true) {
      int done = 0;
      check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done != 0) return true;
      if (deadline.has_passed()) return false;
      patience.wait();
    }
  }

  static bool send(const std::string& text, int to, base::Deadline deadline) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, kTag,
                        MPI_COMM_WORLD, &request),
              "MPI_Isend");
    return finish(request, deadline);
  }

  /// A rank that does not take the message by the deadline is noticed at the next gather.
  void send_to_all(const std::string& text, base::Deadline deadline) const {
    std::vector<MPI_Request> requests(static_cast<std::size_t>(size_), MPI_REQUEST_NULL);
    for (int to = 1; to < size_; ++to) {
      check_mpi(MPI_Isend(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, kTag,
                          MPI_COMM_WORLD, &requests[static_cast<std::size_t>(to)]),
                "MPI_Isend");
    }
    Patience patience;
    int done = 0;
    while (done == 0 && !deadline.has_passed()) {
      check_mpi(MPI_Testall(size_, requests.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (done == 0) patience.wait();
    }
  }

  /// A message that has arrived from anyone, or nothing.
  static std::optional<std::string> receive_from_any(base::Deadline deadline, int& source) {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check_mpi(MPI_Improbe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &found, &message, &status),
              "MPI_Improbe");
    if (found == 0) return std::nullopt;
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string text(static_cast<std::size_t>(length), '\0');
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Imrecv(text.data(), length, MPI_CHAR, &message, &request), "MPI_Imrecv");
    if (!finish(request, deadline)) {
      throw Error(ErrorKind::kTimeout,
                  fmt::format("the message of rank {} stopped half way", status.MPI_SOURCE));
    }
    source = status.MPI_SOURCE;
    return text;
  }

  bool take_farewells(base::Deadline deadline) {
    std::size_t missing = static_cast<std::size_t>(size_) - 1 - std::exchange(early_, {}).size();
    Patience patience;
    while (missing > 0) {
      if (deadline.has_passed()) return false;
      int source = 0;
      if (receive_from_any(deadline, source)) {
        --missing;
        patience.reset();
      } else {
        patience.wait();
      }
    }
    send_to_all("farewell", deadline);
    return true;
  }

  bool say_farewell(base::Deadline deadline) {
    if (!send("farewell", 0, deadline)) return false;
    Patience patience;
    int source = 0;
    while (!receive_from_any(deadline, source)) {
      if (deadline.has_passed()) return false;
      patience.wait();
    }
    return true;
  }

  /// Rank 0, when it was stopped itself, must not say that the others were silent. Only that it did
  /// not run is known, not why.
  static void throw_if_frozen(base::Clock::time_point& last_look) {
    const auto now = base::Clock::now();
    const auto away = now - std::exchange(last_look, now);
    if (away < kFrozen) return;
    throw Error(
        ErrorKind::kTimeout,
        fmt::format("the supervisor of rank 0 was stopped, or was held up (by MPI or a busy "
                    "host), for {:.1f} s",
                    base::to_seconds(away)));
  }

  void throw_if_interrupted() const {
    if (is_interrupted_ && is_interrupted_()) {
      throw Error(ErrorKind::kPeer, "stopped by a signal");
    }
  }

  int rank_ = 0;
  int size_ = 1;
  std::function<bool()> is_interrupted_;
  /// Messages of ranks that are one gather ahead: source and text, oldest first.
  std::vector<std::pair<int, std::string>> early_;
};

}  // namespace

std::unique_ptr<ControlPlane> join_control_plane(int* argc, char*** argv, JoinOptions options) {
  if (detect_launcher() == "none") return alone();
  return std::make_unique<MpiControlPlane>(argc, argv, std::move(options));
}

}  // namespace ringwise::comm
