#include "app/probe/display.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::app {

Display::Display(const base::Log& log, bool is_first, double total_s)
    : log_(log),
      is_first_(is_first),
      is_shown_(is_first && log.level() >= base::LogLevel::kNormal),
      is_terminal_(::isatty(STDERR_FILENO) == 1),
      total_s_(total_s) {}

void Display::begin(std::string_view stage, std::size_t number, std::size_t of) {
  if (!is_shown_) return;
  head_ = fmt::format("[{}/{}] {}", number, of, stage);
  if (is_terminal_) {
    rewrite(head_);
  } else {
    log_.info(head_);
  }
}

void Display::progress(double share, std::string_view what) {
  if (!is_shown_ || !is_terminal_) return;
  const auto now = base::Clock::now();
  if (now - last_shown_ < std::chrono::milliseconds(100)) return;
  last_shown_ = now;
  const double left_s = std::max(0.0, total_s_ - base::to_seconds(now - started_));
  rewrite(fmt::format("{} {:3.0f} %  {}  about {:.0f} s left", head_, share * 100,
                      base::printable(what), left_s));
}

void Display::end(std::string_view stage, std::string_view status, bool has_failed) {
  if (!is_shown_) {
    if (is_first_ && has_failed) log_.error(fmt::format("{}: {}", stage, status));
    return;
  }
  clear();
  log_.info(fmt::format("{}: {}", stage, status));
}

void Display::rewrite(const std::string& line) {
  const std::string text = fmt::format("\r\x1b[K{}", line.substr(0, 100));
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  has_line_ = true;
}

void Display::clear() {
  if (!has_line_) return;
  constexpr std::string_view kClear = "\r\x1b[K";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kClear.data(), kClear.size());
  has_line_ = false;
}

}  // namespace ringwise::app
