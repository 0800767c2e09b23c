// Whole files, read with a bound and written so that a reader never sees half of one.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"

namespace ringwise::base {

/// The file's text, at most `limit` bytes of it; empty when it cannot be opened or read, or is no
/// regular file.
std::optional<std::string> read_text(const std::filesystem::path& path,
                                     std::size_t limit = std::size_t{1} << 20);

struct InputOptions {
  std::size_t limit = std::size_t{1} << 20;            ///< bytes that are read at most
  std::string_view named_by = {};                      ///< "--settings", in front of errors
  Nanoseconds for_a_writer = std::chrono::seconds(5);  ///< until somebody opens a pipe's other end
  Nanoseconds for_more = std::chrono::minutes(2);      ///< for the next bytes of an open pipe
};

/// What a person names as input: a file, or a pipe such as <(command) and /dev/stdin. Throws
/// Error(kUsage) with the path and the reason when it cannot be opened or read, is neither of both,
/// or nothing comes.
[[nodiscard]] std::string read_input(const std::filesystem::path& path,
                                     const InputOptions& options = {});

/// Writes to a temporary file beside `path`, flushes it and renames it over `path`.
/// Throws Error(kUsage) with the path and the reason when that cannot be done.
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// Writes all of `text` to `fd`, which is open for `path`. Throws Error(kSystem) with the path and
/// the reason.
void write_all(int fd, std::string_view text, const std::filesystem::path& path);

}  // namespace ringwise::base
