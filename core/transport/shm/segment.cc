#include "transport/shm/segment.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/handle.h"
#include "base/units.h"

namespace ringwise::transport::shm {
namespace {

constexpr const char* kFolder = "/dev/shm";
constexpr std::string_view kPrefix = "ringwise-";
constexpr std::time_t kAbandonedSeconds = 600;

std::string free_text() {
  struct statvfs status {};
  if (statvfs(kFolder, &status) != 0) return "its size is unknown";
  return fmt::format("{} of {} are free", base::format_bytes(status.f_bavail * status.f_frsize),
                     base::format_bytes(status.f_blocks * status.f_frsize));
}

std::byte* map(int fd, std::size_t bytes) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (data == MAP_FAILED) base::check_rc(-1, "mmap of shared memory");
  return static_cast<std::byte*>(data);
}

base::FileDescriptor open_new(const std::string& name) {
  const std::string path = "/" + name;
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  base::FileDescriptor fd(shm_open(path.c_str(), kFlags, S_IRUSR | S_IWUSR));
  if (!fd.is_open() && errno == EEXIST) {
    // Left by a worker of this run that was killed between making and attaching.
    shm_unlink(path.c_str());
    fd = base::FileDescriptor(shm_open(path.c_str(), kFlags, S_IRUSR | S_IWUSR));
  }
  if (!fd.is_open()) {
    throw Error(ErrorKind::kRefused, fmt::format("cannot make shared memory in {}: {}", kFolder,
                                                 base::errno_text(errno)));
  }
  return fd;
}

/// Of this user, by the beginning of their names.
void remove_segments(std::string_view prefix,
                     const std::function<bool(const struct stat&)>& is_abandoned) {
  const base::UniqueHandle<DIR, closedir> folder(opendir(kFolder));
  if (!folder) return;
  while (const dirent* entry = readdir(folder.get())) {
    const std::string name(static_cast<const char*>(entry->d_name));
    struct stat status {};
    if (!name.starts_with(prefix) ||
        fstatat(dirfd(folder.get()), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    if (S_ISREG(status.st_mode) && status.st_uid == geteuid() && is_abandoned(status)) {
      unlinkat(dirfd(folder.get()), name.c_str(), 0);
    }
  }
}

}  // namespace

std::string why_unusable() {
  struct stat status {};
  if (stat(kFolder, &status) != 0 || !S_ISDIR(status.st_mode)) {
    return fmt::format("{} is absent", kFolder);
  }
  if (access(kFolder, W_OK | X_OK) != 0) return fmt::format("{} may not be written", kFolder);
  return {};
}

void remove_leftovers() {
  const std::time_t now = std::time(nullptr);
  remove_segments(kPrefix, [now](const struct stat& status) {
    return now - status.st_mtime > kAbandonedSeconds;
  });
}

void remove_run(std::uint64_t run_id) {
  remove_segments(run_prefix(run_id), [](const struct stat&) { return true; });
}

std::string run_prefix(std::uint64_t run_id) {
  return fmt::format("{}{:016x}-", kPrefix, run_id);
}

Segment Segment::create(const std::string& name, std::size_t bytes) {
  const auto fd = open_new(name);
  Segment segment;
  segment.name_ = name;
  // Not ftruncate: that would promise pages which are not there and end in SIGBUS.
  const int error = posix_fallocate(fd.get(), 0, static_cast<off_t>(bytes));
  if (error == ENOSPC || error == ENOMEM || error == EFBIG) {
    throw Error(ErrorKind::kRefused,
                fmt::format("{} has no room for the {} of shared memory that this rank needs: {}",
                            kFolder, base::format_bytes(bytes), free_text()));
  }
  base::check_code(error, "posix_fallocate of shared memory");
  segment.data_ = map(fd.get(), bytes);
  segment.bytes_ = bytes;
  return segment;
}

Segment Segment::attach(const std::string& name, std::size_t bytes) {
  const base::FileDescriptor fd(shm_open(("/" + name).c_str(), O_RDWR | O_CLOEXEC, 0));
  if (!fd.is_open()) {
    throw Error(ErrorKind::kUnavailable,
                fmt::format("the shared memory of another rank cannot be opened: {}; do both see "
                            "the same {}?",
                            base::errno_text(errno), kFolder));
  }
  struct stat status {};
  base::check_rc(fstat(fd.get(), &status), "fstat of shared memory");
  if (status.st_size != static_cast<off_t>(bytes)) {
    throw Error(ErrorKind::kPeer,
                fmt::format("the shared memory of another rank has {} bytes in place of {}",
                            status.st_size, bytes));
  }
  Segment segment;
  segment.data_ = map(fd.get(), bytes);
  segment.bytes_ = bytes;
  return segment;
}

Segment::Segment(Segment&& other) noexcept
    : name_(std::exchange(other.name_, {})),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Segment& Segment::operator=(Segment&& other) noexcept {
  if (this != &other) {
    reset();
    name_ = std::exchange(other.name_, {});
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void Segment::unlink() noexcept {
  if (!name_.empty()) shm_unlink(("/" + name_).c_str());
  name_.clear();
}

void Segment::reset() noexcept {
  unlink();
  if (data_ != nullptr) munmap(data_, bytes_);
  data_ = nullptr;
}

}  // namespace ringwise::transport::shm
