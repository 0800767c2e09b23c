#include "app/probe/worker_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/probe/signals.h"
#include "base/error.h"
#include "base/file.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX asks for it

namespace ringwise::app {
namespace {

constexpr int kWorkerFd = 3;
constexpr int kCannotExec = 127;

/// The environment of the worker as NAME=VALUE texts.
std::vector<std::string> environment_with(const std::map<std::string, std::string>& settings) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!settings.contains(text.substr(0, text.find('=')))) entries.push_back(text);
  }
  for (const auto& [name, value] : settings) entries.push_back(fmt::format("{}={}", name, value));
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become_worker(int socket, pid_t parent, char* const* arguments,
                                char* const* environment) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kCannotExec);  // the parent died before prctl
  if (socket == kWorkerFd) {
    ::fcntl(socket, F_SETFD, 0);
  } else {
    ::dup2(socket, kWorkerFd);
  }
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  // MPI's descriptors stay with the supervisor.
  ::close_range(kWorkerFd + 1, ~0U, 0);
  ::execve("/proc/self/exe", arguments, environment);
  ::_exit(kCannotExec);
}

}  // namespace

WorkerProcess::WorkerProcess(const std::map<std::string, std::string>& settings) : channel_(-1) {
  std::array<int, 2> ends{};
  base::check_rc(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), "socketpair");
  socket_ = base::FileDescriptor(ends[0]);
  const base::FileDescriptor theirs(ends[1]);
  channel_ = comm::FrameChannel(socket_.get());
  std::vector<std::string> arguments{"ringwise-probe", kWorkerOption, std::to_string(kWorkerFd)};
  std::vector<std::string> environment = environment_with(settings);
  const auto argument_pointers = pointers_to(arguments);
  const auto environment_pointers = pointers_to(environment);
  const pid_t parent = ::getpid();
  pid_ = base::check_rc(::fork(), "fork");
  if (pid_ == 0) {
    become_worker(theirs.get(), parent, argument_pointers.data(), environment_pointers.data());
  }
  // In both processes, so that the group exists whoever runs first.
  ::setpgid(pid_, pid_);
  set_worker_group(pid_);
}

WorkerProcess::~WorkerProcess() {
  kill();
  wait(std::chrono::seconds(2));
  set_worker_group(0);
}

void WorkerProcess::kill() {
  if (pid_ > 0 && !ending_) ::kill(-pid_, SIGKILL);
}

bool WorkerProcess::is_stopped() const {
  if (pid_ <= 0 || ending_) return false;
  // source: proc(5): "PID (NAME) STATE ..."; T = stopped by a signal
  const auto text = base::read_text(fmt::format("/proc/{}/stat", pid_)).value_or("");
  const auto close = text.rfind(") ");
  return close != std::string::npos && text.substr(close + 2, 1) == "T";
}

std::optional<std::string> WorkerProcess::wait(base::Nanoseconds patience) {
  const auto deadline = base::Deadline::after(patience);
  while (!ending_) {
    int status = 0;
    const pid_t got = ::waitpid(pid_, &status, WNOHANG);
    if (got == pid_) {
      ending_ = WIFSIGNALED(status)
                    ? fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                    : fmt::format("exit status {}", WEXITSTATUS(status));
    } else if (got < 0 && errno == ECHILD) {
      ending_ = "an end that was not seen";
    } else if (deadline.has_passed()) {
      return std::nullopt;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  return ending_;
}

}  // namespace ringwise::app
