#include "system/shm.h"

#include <sys/statvfs.h>

#include <cerrno>
#include <cstdint>

#include "base/error.h"
#include "base/units.h"
#include "system/mounts.h"

namespace ringwise::system {
namespace {

void add_live_sizes(model::SharedMemory& shm) {
  struct statvfs status {};
  if (statvfs(shm.path.c_str(), &status) != 0) {
    shm.reason = shm.path + ": " + base::errno_text(errno);
    return;
  }
  const auto block = static_cast<std::uint64_t>(status.f_frsize);
  shm.size_bytes = block * status.f_blocks;
  shm.used_bytes = block * (status.f_blocks - status.f_bfree);
}

void add_saved_size(const std::optional<Mount>& mount, model::SharedMemory& shm) {
  if (!mount || mount->point != shm.path) {
    shm.reason = shm.path + " is no mount of its own";
    return;
  }
  const auto size = option_value(mount->super_options, "size");
  if (size) shm.size_bytes = base::parse_bytes(*size);
  if (!shm.size_bytes) shm.reason = shm.path + ": its mount options do not say the size";
}

}  // namespace

model::SharedMemory read_shared_memory(const SysRoot& root) {
  model::SharedMemory shm;
  const auto mount = mount_of(root, shm.path);
  if (mount) shm.type = mount->type;
  if (root.is_live()) {
    add_live_sizes(shm);
  } else {
    add_saved_size(mount, shm);
  }
  return shm;
}

}  // namespace ringwise::system
