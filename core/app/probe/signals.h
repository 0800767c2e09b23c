// What SIGINT, SIGTERM and SIGHUP do to a supervisor: kill its worker, leave a line in the journal,
// and make every wait end.
#pragma once

#include <functional>
#include <string>

namespace ringwise::app {

/// Installs the handlers. Once a process.
void install_signal_handlers();

/// The signal that came, 0 = none.
[[nodiscard]] int received_signal();

/// The process group to kill when a signal comes; 0 = none.
void set_worker_group(int process_group);

/// What the handler appends to the journal's descriptor, by the signal that came: it says that the
/// launcher or a person stopped this rank. -1 = no journal.
void set_journal_lines(int fd, const std::function<std::string(int signal)>& line);

}  // namespace ringwise::app
