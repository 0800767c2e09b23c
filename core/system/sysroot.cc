#include "system/sysroot.h"

#include <algorithm>
#include <system_error>

#include "base/file.h"
#include "base/units.h"
#include "system/text.h"

namespace ringwise::system {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLineLimit = 256;
constexpr std::size_t kListLimit = 65536;

/// `path` without the slash that would make operator/ forget the root.
fs::path join(const fs::path& root, std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  return root / fs::path(path);
}

bool is_inside(const fs::path& path, const fs::path& root) {
  const auto [root_end, rest] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return root_end == root.end();
}

}  // namespace

bool SysRoot::is_live() const {
  return root.lexically_normal() == "/";
}

std::optional<fs::path> SysRoot::locate(std::string_view path) const {
  std::error_code failed;
  const auto found = fs::canonical(join(root, path), failed);
  if (failed) return std::nullopt;
  if (is_live()) return found;
  const auto top = fs::canonical(root, failed);
  if (failed || !is_inside(found, top)) return std::nullopt;
  return found;
}

std::optional<std::string> SysRoot::read(std::string_view path, std::size_t limit) const {
  const auto found = locate(path);
  std::error_code failed;
  // A pipe or a device in a file's place could block the reader.
  if (!found || !fs::is_regular_file(*found, failed)) return std::nullopt;
  return base::read_text(*found, limit);
}

std::optional<std::string> SysRoot::read_line(std::string_view path) const {
  const auto text = read(path, 4096);
  if (!text) return std::nullopt;
  const auto line = base::trim(std::string_view(*text).substr(0, text->find('\n')));
  if (line.empty()) return std::nullopt;
  return base::printable(line.substr(0, kLineLimit));
}

std::optional<std::int64_t> SysRoot::read_int(std::string_view path) const {
  const auto line = read_line(path);
  return line ? base::parse_int(*line) : std::nullopt;
}

std::vector<std::string> SysRoot::list(std::string_view path) const {
  std::vector<std::string> names;
  const auto found = locate(path);
  std::error_code failed;
  if (!found || !fs::is_directory(*found, failed)) return names;
  for (fs::directory_iterator entry(*found, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (names.size() >= kListLimit) break;
    names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names, is_before_by_number);
  return names;
}

bool SysRoot::exists(std::string_view path) const {
  return locate(path).has_value();
}

std::optional<std::string> SysRoot::link_name(std::string_view path) const {
  const fs::path asked(path);
  const auto folder = locate(asked.parent_path().string());
  if (!folder) return std::nullopt;
  std::error_code failed;
  const auto target = fs::read_symlink(*folder / asked.filename(), failed);
  if (failed || !target.has_filename()) return std::nullopt;
  return base::printable(target.filename().string().substr(0, kLineLimit));
}

std::optional<fs::path> SysRoot::real_path(std::string_view path) const {
  auto found = locate(path);
  if (!found || is_live()) return found;
  std::error_code failed;
  return "/" / found->lexically_relative(fs::canonical(root, failed));
}

}  // namespace ringwise::system
