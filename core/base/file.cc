#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

#include "base/error.h"
#include "base/handle.h"

namespace ringwise::base {

std::optional<std::string> read_text(const std::filesystem::path& path, std::size_t limit) {
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) return std::nullopt;
  std::string text;
  char buffer[16384];
  while (text.size() < limit) {
    const auto got = ::read(fd.get(), buffer, std::min(sizeof buffer, limit - text.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    check_rc(static_cast<int>(put), "write");
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

namespace {

/// Removes the file unless it was kept.
struct TemporaryFile {
  std::string path;
  FileDescriptor fd;
  bool kept = false;
  ~TemporaryFile() {
    if (fd.is_open() && !kept) ::unlink(path.c_str());
  }
};

}  // namespace

void write_atomically(const std::filesystem::path& path, std::string_view text) {
  const auto require = [&](bool done) {
    if (done) return;
    throw Error(ErrorKind::kUsage,
                fmt::format("cannot write {}: {}", path.string(), errno_text(errno)));
  };
  TemporaryFile file{.path = path.string() + ".XXXXXX", .fd = {}};
  file.fd = FileDescriptor(::mkostemp(file.path.data(), O_CLOEXEC));
  require(file.fd.is_open());
  std::string_view left = text;
  while (!left.empty()) {
    const auto put = ::write(file.fd.get(), left.data(), left.size());
    require(put >= 0 || errno == EINTR);
    if (put > 0) left.remove_prefix(static_cast<std::size_t>(put));
  }
  require(::fchmod(file.fd.get(), 0644) == 0);
  require(::fsync(file.fd.get()) == 0);
  require(std::rename(file.path.c_str(), path.c_str()) == 0);
  file.kept = true;
}

}  // namespace ringwise::base
