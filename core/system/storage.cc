#include "system/storage.h"

#include <sys/statvfs.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>

#include "base/error.h"
#include "system/mounts.h"

namespace ringwise::system {

std::optional<model::Storage> read_storage(const SysRoot& root) {
  if (!root.is_live()) return std::nullopt;
  model::Storage storage;
  std::error_code code;
  const auto folder = std::filesystem::current_path(code);
  if (code) {
    storage.reason = "the working directory: " + code.message();
    return storage;
  }
  if (const auto mount = mount_of(root, folder.string())) {
    storage.type = mount->type;
  } else {
    // In a chroot the mount point lies above what can be seen.
    storage.reason = "its type: no mount point above the working directory is visible";
  }
  struct statvfs status {};
  if (statvfs(folder.c_str(), &status) != 0) {
    storage.reason = "the working directory: " + base::errno_text(errno);
    return storage;
  }
  const auto block = static_cast<std::uint64_t>(status.f_frsize);
  storage.size_bytes = block * status.f_blocks;
  storage.free_bytes = block * status.f_bavail;
  return storage;
}

}  // namespace ringwise::system
