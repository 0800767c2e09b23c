// Messages to standard error. Data never goes here.
#pragma once

#include <string>
#include <string_view>

namespace ringwise::base {

enum class LogLevel { kQuiet, kNormal, kVerbose, kDebug };

/// Passed down, never global. One write(2) a line, so lines of several processes do not mix.
class Log {
 public:
  explicit Log(std::string prefix, LogLevel level = LogLevel::kNormal)
      : prefix_(std::move(prefix)), level_(level) {}

  /// Shown at every level, kQuiet included.
  void error(std::string_view text) const { write(LogLevel::kQuiet, "error: ", text); }
  void warning(std::string_view text) const { write(LogLevel::kNormal, "warning: ", text); }
  void info(std::string_view text) const { write(LogLevel::kNormal, "", text); }
  void verbose(std::string_view text) const { write(LogLevel::kVerbose, "", text); }
  void debug(std::string_view text) const { write(LogLevel::kDebug, "debug: ", text); }
  [[nodiscard]] LogLevel level() const { return level_; }

 private:
  void write(LogLevel level, std::string_view kind, std::string_view text) const;

  std::string prefix_;
  LogLevel level_;
};

}  // namespace ringwise::base
