#include "app/guarded_main.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>

#include <fmt/format.h>

#include "app/exit_code.h"
#include "base/error.h"
#include "base/log.h"
#include "base/units.h"

namespace ringwise::app {
namespace {

int fail(const std::string& program, ErrorKind kind, std::string_view text, std::string* said) {
  if (said != nullptr) *said = text;
  const base::Log log(program);
  const auto shown = base::printable(text);
  log.error(kind == ErrorKind::kInternal ? "internal error: " + shown : shown);
  return static_cast<int>(exit_code_of(kind));
}

}  // namespace

std::string program_name(int argc, const char* const* argv) {
  if (argc < 1 || argv[0] == nullptr || *argv[0] == '\0') return "ringwise";
  const std::string_view path = argv[0];
  return std::string(path.substr(path.rfind('/') + 1));
}

int guarded_main(int argc, const char* const* argv, const std::function<int()>& body,
                 std::string* said) noexcept {
  try {
    const auto program = program_name(argc, argv);
    try {
      return body();
    } catch (const Error& error) {
      return fail(program, error.kind(), error.what(), said);
    } catch (const std::exception& error) {
      return fail(program, ErrorKind::kInternal, error.what(), said);
    } catch (...) {
      return fail(program, ErrorKind::kInternal, "an exception of unknown type", said);
    }
  } catch (...) {
    // Not even the message could be written (out of memory): the code is all that is left.
    return static_cast<int>(exit_code_of(ErrorKind::kInternal));
  }
}

void write_data(std::string_view text) {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  base::check_rc(sigaction(SIGPIPE, &ignore, nullptr), "sigaction(SIGPIPE)");
  while (!text.empty()) {
    const auto written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return;
    } else if (errno != EINTR && errno != EAGAIN) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("writing to standard output: {}", base::errno_text(errno)));
    }
  }
}

}  // namespace ringwise::app
