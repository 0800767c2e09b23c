#include "app/probe/signals.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "base/error.h"

namespace ringwise::app {
namespace {

// A signal handler has no other way to its data than static storage.
std::atomic<int> g_signal{0};
std::atomic<int> g_worker_group{0};
std::atomic<int> g_journal_fd{-1};
std::array<char, 512> g_journal_line{};
std::atomic<std::size_t> g_journal_length{0};

extern "C" void on_signal(int number) {
  const int saved = errno;
  int none = 0;
  if (g_signal.compare_exchange_strong(none, number)) {
    const int fd = g_journal_fd.load();
    if (fd >= 0) {
      [[maybe_unused]] const auto written =
          ::write(fd, g_journal_line.data(), g_journal_length.load());
    }
  }
  const int group = g_worker_group.load();
  if (group > 0) ::kill(-group, SIGKILL);
  errno = saved;
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    base::check_rc(::sigaction(number, &action, nullptr), "sigaction");
  }
  action.sa_handler = SIG_IGN;
  base::check_rc(::sigaction(SIGPIPE, &action, nullptr), "sigaction");
}

int received_signal() {
  return g_signal.load();
}

void set_worker_group(int process_group) {
  g_worker_group.store(process_group);
}

void set_journal_line(int fd, const std::string& line) {
  g_journal_fd.store(-1);
  const std::size_t length = std::min(line.size(), g_journal_line.size());
  std::copy_n(line.begin(), length, g_journal_line.begin());
  g_journal_length.store(length);
  g_journal_fd.store(fd);
}

}  // namespace ringwise::app
