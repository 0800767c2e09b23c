#include "plan/nccl_integer.h"

#include <cerrno>
#include <cstdlib>

#include <fmt/format.h>

#include "base/units.h"

namespace ringwise::plan {

NcclInteger nccl_integer(const std::optional<std::string>& text, std::int64_t default_value) {
  if (!text || text->empty()) return {default_value, false, ""};
  const char* begin = text->c_str();
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(begin, &end, 0);
  if (errno != 0) {
    return {default_value, false,
            fmt::format("does not fit into 64 bits, so NCCL uses the default, {}", default_value)};
  }
  NcclInteger read{value, true, ""};
  const auto plain = base::parse_int(base::trim(*text));
  if (end == begin) {
    read.note = "is no number, and NCCL reads it as 0";
  } else if (*end != '\0') {
    read.note = fmt::format("is read as {}: NCCL stops at '{}'", value, base::printable(end));
  } else if (plain && *plain != value) {
    read.note = fmt::format("is read as {}: a leading 0 means octal", value);
  }
  return read;
}

NcclInteger nccl_integer(const Environment& environment, std::string_view name,
                         std::int64_t default_value) {
  const auto text = variable(environment, name);
  auto read = nccl_integer(text, default_value);
  if (!read.note.empty()) {
    read.note = fmt::format("{}={} {}", name, base::printable(text.value_or("")), read.note);
  }
  return read;
}

std::optional<std::string> variable(const Environment& environment, std::string_view name) {
  const auto found = environment.find(std::string(name));
  if (found == environment.end()) return std::nullopt;
  return found->second;
}

}  // namespace ringwise::plan
