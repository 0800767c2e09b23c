#include "app/probe/launcher_watch.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <string_view>

#include "base/handle.h"

namespace ringwise::app {
namespace {

constexpr int kPatienceSeconds = 3;
/// Open MPI 4.1 tells its hosts to end along a tree, and waits for each.
constexpr int kRanksPerSecond = 200;
/// As the kernel shortens them: to 15 characters.
constexpr std::array<std::string_view, 9> kLaunchers = {
    "mpirun", "mpirun.openmpi", "orterun",       "orted",          "prterun",
    "prted",  "mpiexec",        "mpiexec.hydra", "hydra_pmi_proxy"};

// Everything below runs after a fork of a process with threads: system calls only.

struct Process {
  std::array<char, 512> stat{};  ///< /proc/PID/stat: "PID (NAME) STATE PPID ... START ..."
  std::size_t length = 0;
  [[nodiscard]] std::string_view text() const { return {stat.data(), length}; }
};

Process read_process(pid_t pid) {
  std::array<char, 32> path{};
  std::string_view digits;
  std::array<char, 12> buffer{};
  std::size_t at = buffer.size();
  for (pid_t rest = pid; rest > 0; rest /= 10) buffer[--at] = static_cast<char>('0' + rest % 10);
  digits = {buffer.data() + at, buffer.size() - at};
  auto* end = path.begin();
  for (const std::string_view part :
       {std::string_view("/proc/"), digits, std::string_view("/stat")}) {
    end = std::copy(part.begin(), part.end(), end);
  }
  Process process;
  const base::FileDescriptor file(::open(path.data(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return process;
  const auto bytes = ::read(file.get(), process.stat.data(), process.stat.size());
  if (bytes > 0) process.length = static_cast<std::size_t>(bytes);
  return process;
}

std::string_view name_of(const Process& process) {
  const auto text = process.text();
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  return text.substr(open + 1, close - open - 1);
}

/// The 22nd field of the line, the 20th after the name.
std::string_view start_of(const Process& process) {
  auto text = process.text();
  const auto close = text.rfind(')');
  if (close == std::string_view::npos) return {};
  text.remove_prefix(close + 1);
  for (int field = 0; field < 20; ++field) {
    const auto blank = text.find(' ');
    if (blank == std::string_view::npos) return {};
    text.remove_prefix(blank + 1);
  }
  return text.substr(0, text.find(' '));
}

void sleep_seconds(int seconds) {
  timespec left{seconds, 0};
  while (nanosleep(&left, &left) != 0) {
  }
}

[[noreturn]] void watch(pid_t pid, const Process& launcher, int patience_seconds) {
  const auto is_there = [&] { return start_of(read_process(pid)) == start_of(launcher); };
  sleep_seconds(patience_seconds);
  // Not SIGTERM: Open MPI 4.1 crashes on it in this state, with a stack trace.
  if (is_there()) ::kill(pid, SIGKILL);
  ::_exit(0);
}

}  // namespace

void end_launcher_later(int ranks) noexcept {
  const pid_t parent = ::getppid();
  const Process launcher = read_process(parent);
  const auto name = name_of(launcher);
  if (std::find(kLaunchers.begin(), kLaunchers.end(), name) == kLaunchers.end()) return;
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child > 0) {
    ::waitpid(child, nullptr, 0);
    return;
  }
  // Out of the launcher's sight: in a session of its own, a child of init, without its pipes.
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  ::close_range(0, ~0U, 0);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_IGN);
  watch(parent, launcher, kPatienceSeconds + ranks / kRanksPerSecond);
}

}  // namespace ringwise::app
