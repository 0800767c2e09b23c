// The worker of one stage: the same binary in a process group of its own.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>

#include "base/handle.h"
#include "comm/frames.h"

namespace ringwise::app {

/// Starts a worker and owns it: the destructor kills its process group and waits, at most two
/// seconds, for its end.
class WorkerProcess {
 public:
  /// `settings` are put into the worker's environment over what is there. The kernel kills the
  /// worker when the supervisor's thread dies. Throws Error(kSystem).
  explicit WorkerProcess(const std::map<std::string, std::string>& settings);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  WorkerProcess(WorkerProcess&&) = delete;
  WorkerProcess& operator=(WorkerProcess&&) = delete;

  [[nodiscard]] comm::FrameChannel& channel() { return channel_; }
  [[nodiscard]] pid_t pid() const { return pid_; }

  /// It was stopped by a signal (SIGSTOP, a debugger's hand) and has not gone on.
  [[nodiscard]] bool is_stopped() const;
  /// Kills the process group.
  void kill();
  /// "exit status 2", "signal 9 (Killed)": how it ended. Waits at most `patience`; empty when it
  /// has not ended by then.
  std::optional<std::string> wait(base::Nanoseconds patience);

 private:
  base::FileDescriptor socket_;
  comm::FrameChannel channel_;
  pid_t pid_ = -1;
  std::optional<std::string> ending_;
};

/// Name of the hidden option that makes ringwise-probe a worker; its value is the descriptor.
inline constexpr const char* kWorkerOption = "--worker-fd";

}  // namespace ringwise::app
