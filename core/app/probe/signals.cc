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
constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
struct Line {
  std::array<char, 512> text{};
  std::size_t length = 0;
};
std::array<Line, kSignals.size()> g_journal_lines{};

extern "C" void on_signal(int number) {
  const int saved = errno;
  int none = 0;
  if (g_signal.compare_exchange_strong(none, number)) {
    const int fd = g_journal_fd.load();
    for (std::size_t i = 0; fd >= 0 && i < kSignals.size(); ++i) {
      if (kSignals[i] != number) continue;
      const Line& line = g_journal_lines[i];
      [[maybe_unused]] const auto written = ::write(fd, line.text.data(), line.length);
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
  for (const int number : kSignals) {
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

void set_journal_lines(int fd, const std::function<std::string(int signal)>& line) {
  g_journal_fd.store(-1);
  for (std::size_t i = 0; fd >= 0 && i < kSignals.size(); ++i) {
    const auto text = line(kSignals[i]);
    Line& into = g_journal_lines[i];
    into.length = std::min(text.size(), into.text.size());
    std::copy_n(text.begin(), into.length, into.text.begin());
  }
  g_journal_fd.store(fd);
}

}  // namespace ringwise::app
