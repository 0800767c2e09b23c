// The one exception type of ringwise, and the checks that turn C return codes into it.
#pragma once

#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ringwise {

/// What kind of failure it is; the kind decides the exit code (see app/exit_code.h).
enum class ErrorKind {
  kUsage,        ///< wrong options or unreadable input
  kUnavailable,  ///< hardware, library or file that is needed is absent
  kRefused,      ///< a limit or a policy said no (permission, memlock, busy fabric)
  kTimeout,      ///< a deadline passed
  kPeer,         ///< another rank failed, left or spoke the wrong protocol
  kSystem,       ///< an operating system or library call failed
  kInternal,     ///< a bug in ringwise
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

/// Where in a measurement something failed.
struct ErrorPlace {
  std::optional<int> peer;               ///< rank at the other end
  std::optional<std::string> interface;  ///< local interface
  std::optional<std::string> step;       ///< "connect", "block 2, 4 MiB, wire", ...
  /// What was seen, from the nearest to the cause to the farthest: "worker-ended", "link-down" (the
  /// own interface is down or has lost its address), "wrong-data",
  /// "wrong-path" (the counters say so), "mtu" (large packets were seen not to arrive),
  /// "unacknowledged" (what was sent got no answer), "no-connection", "slow" (it is answered, too
  /// slowly), "rank-lost" (killed, stopped or cut off, supervisor and all), "worker-killed" (at the
  /// stage's time-out), "silent" (waited in vain), "closed" (the peer gave up first).
  std::optional<std::string> sign = std::nullopt;
};

/// A failure between ranks, with its place; probes and transports throw it.
class PlacedError : public Error {
 public:
  PlacedError(ErrorKind kind, const std::string& text, ErrorPlace place)
      : Error(kind, text), place_(std::move(place)) {}
  [[nodiscard]] const ErrorPlace& place() const { return place_; }

 private:
  ErrorPlace place_;
};

namespace base {

/// Text of an errno value, for example "No such file or directory".
std::string errno_text(int error_number);

/// For calls that return -1 and set errno: returns `rc` when it is not negative, otherwise throws
/// Error(kSystem) with the call, the errno text and the caller. EACCES and EPERM give kRefused.
int check_rc(int rc, std::string_view call,
             std::source_location where = std::source_location::current());

/// For calls that return the error number itself (pthread_*, ibv_*): throws when it is not 0.
void check_code(int error_number, std::string_view call,
                std::source_location where = std::source_location::current());

/// For calls that return a pointer and set errno: throws when it is null.
void check_not_null(const void* pointer, std::string_view call,
                    std::source_location where = std::source_location::current());

template <typename T>
T* check_ptr(T* pointer, std::string_view call,
             std::source_location where = std::source_location::current()) {
  check_not_null(pointer, call, where);
  return pointer;
}

}  // namespace base
}  // namespace ringwise
