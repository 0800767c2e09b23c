#include "system/mounts.h"

#include <algorithm>
#include <cstddef>

#include "base/units.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

constexpr std::size_t kMountinfoLimit = std::size_t{8} << 20;

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

/// The kernel writes blanks and backslashes in paths as "\040" (source: proc(5)).
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::ranges::all_of(text.substr(i + 1, 3), is_octal)) {
      const int value = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
      plain.push_back(static_cast<char>(value));
      i += 3;
    } else {
      plain.push_back(text[i]);
    }
  }
  return plain;
}

}  // namespace

std::vector<Mount> read_mounts(const SysRoot& root) {
  std::vector<Mount> mounts;
  const auto text = root.read("/proc/self/mountinfo", kMountinfoLimit);
  if (!text) return mounts;
  for (const auto line : lines(*text)) {
    const auto cells = words(line);
    const auto dash = std::ranges::find(cells, std::string_view("-"));
    if (cells.size() < 7 || cells.end() - dash < 3) continue;
    mounts.push_back({.root = unescape(cells[3]),
                      .point = unescape(cells[4]),
                      .type = base::printable(dash[1]),
                      .super_options = cells.end() - dash > 3 ? std::string(dash[3]) : ""});
  }
  return mounts;
}

std::optional<Mount> mount_of(const SysRoot& root, std::string_view path) {
  std::optional<Mount> best;
  for (const auto& mount : read_mounts(root)) {
    if (!is_path_under(path, mount.point)) continue;
    if (!best || mount.point.size() >= best->point.size()) best = mount;
  }
  return best;
}

bool is_path_under(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || path[folder.size()] == '/';
}

bool has_option(std::string_view options, std::string_view option) {
  const auto parts = base::split(options, ',');
  return std::ranges::find(parts, option) != parts.end();
}

std::optional<std::string> option_value(std::string_view options, std::string_view key) {
  for (const auto& part : base::split(options, ',')) {
    const auto equals = part.find('=');
    if (equals != std::string::npos && std::string_view(part).substr(0, equals) == key) {
      return part.substr(equals + 1);
    }
  }
  return std::nullopt;
}

}  // namespace ringwise::system
