// Whole files, read with a bound and written so that a reader never sees half of one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ringwise::base {

/// The file's text, at most `limit` bytes of it; empty when it cannot be opened or read.
std::optional<std::string> read_text(const std::filesystem::path& path,
                                     std::size_t limit = std::size_t{1} << 20);

/// Writes to a temporary file beside `path`, flushes it and renames it over `path`.
/// Throws Error(kUsage) with the path and the reason when that cannot be done.
void write_atomically(const std::filesystem::path& path, std::string_view text);

/// Writes all of `text` to `fd`. Throws Error(kSystem).
void write_all(int fd, std::string_view text);

}  // namespace ringwise::base
