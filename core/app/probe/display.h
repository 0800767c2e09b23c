// What the person who waits sees on standard error: rank 0 only.
#pragma once

#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/log.h"

namespace ringwise::app {

/// On a terminal one line that is rewritten, elsewhere a line when a stage begins and ends.
class Display {
 public:
  /// `is_first` of rank 0; `total_s` is the expected time of the whole run, 0 = unknown.
  Display(const base::Log& log, bool is_first, double total_s);

  void begin(std::string_view stage, std::size_t number, std::size_t of);
  void progress(double share, std::string_view what);
  /// A failure is an error, which is shown where nothing else is.
  void end(std::string_view stage, std::string_view status, bool has_failed);

 private:
  void rewrite(const std::string& line);
  void clear();

  const base::Log& log_;
  bool is_first_;  ///< rank 0
  bool is_shown_;
  bool is_terminal_;
  double total_s_;
  base::Clock::time_point started_ = base::Clock::now();
  base::Clock::time_point last_shown_{};
  std::string head_;
  bool has_line_ = false;
};

}  // namespace ringwise::app
