// The file system that facts are read through: this machine's, or a fixture of another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringwise::system {

/// Paths are absolute inside the root ("/proc/self/status"). Nothing throws: what is missing,
/// unreadable, no regular file or outside a fixture's root is absent.
struct SysRoot {
  /// Anything but "/" is a fixture that scripts/gather-host saved.
  std::filesystem::path root = "/";

  /// True for "/": then the kernel may be asked directly, too.
  [[nodiscard]] bool is_live() const;

  /// The text of a regular file, at most `limit` bytes of it.
  [[nodiscard]] std::optional<std::string> read(std::string_view path,
                                                std::size_t limit = std::size_t{1} << 20) const;

  /// The first line without blanks around it, at most 256 bytes, safe to print. Absent when empty.
  [[nodiscard]] std::optional<std::string> read_line(std::string_view path) const;

  /// The first line as a decimal number.
  [[nodiscard]] std::optional<std::int64_t> read_int(std::string_view path) const;

  /// Names in a folder, numbers inside them by value ("mlx5_2" before "mlx5_10"); at most 65536.
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const;

  /// True for files and folders, symbolic links followed.
  [[nodiscard]] bool exists(std::string_view path) const;

  /// Last part of a symbolic link's target, which need not exist: the name of a driver.
  [[nodiscard]] std::optional<std::string> link_name(std::string_view path) const;

  /// The path inside the root with all symbolic links followed.
  [[nodiscard]] std::optional<std::filesystem::path> real_path(std::string_view path) const;

 private:
  /// The same as a path of this machine.
  [[nodiscard]] std::optional<std::filesystem::path> locate(std::string_view path) const;
};

}  // namespace ringwise::system
