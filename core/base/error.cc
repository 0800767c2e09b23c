#include "base/error.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace ringwise::base {
namespace {

std::string_view file_name(const std::source_location& where) {
  const std::string_view path = where.file_name();
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

[[noreturn]] void fail(int error_number, std::string_view call, const std::source_location& where) {
  const bool refused = error_number == EACCES || error_number == EPERM;
  throw Error(refused ? ErrorKind::kRefused : ErrorKind::kSystem,
              fmt::format("{}: {} [{}:{}]", call, errno_text(error_number), file_name(where),
                          where.line()));
}

}  // namespace

std::string errno_text(int error_number) {
  char buffer[256] = {};
  // The GNU strerror_r returns the text, which need not lie in the buffer.
  return strerror_r(error_number, buffer, sizeof buffer);
}

int check_rc(int rc, std::string_view call, std::source_location where) {
  if (rc < 0) fail(errno, call, where);
  return rc;
}

void check_code(int error_number, std::string_view call, std::source_location where) {
  if (error_number != 0) fail(error_number, call, where);
}

void check_not_null(const void* pointer, std::string_view call, std::source_location where) {
  if (pointer == nullptr) fail(errno, call, where);
}

}  // namespace ringwise::base
