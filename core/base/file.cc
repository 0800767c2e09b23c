#include "base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

#include "base/error.h"
#include "base/handle.h"
#include "base/units.h"

namespace ringwise::base {
namespace {

struct stat status_of(const FileDescriptor& fd) {
  struct stat status {};
  check_rc(::fstat(fd.get(), &status), "fstat");
  return status;
}

/// An input that may be a pipe, read without ever waiting in read(2).
class InputReader {
 public:
  InputReader(const std::filesystem::path& path, const InputOptions& options)
      : path_(path),
        options_(options),
        fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (!fd_.is_open()) refuse(errno_text(errno));
    const auto mode = status_of(fd_).st_mode;
    if (S_ISDIR(mode)) refuse(errno_text(EISDIR));
    if (!S_ISREG(mode) && !S_ISFIFO(mode)) refuse("neither a file nor a pipe");
  }

  std::string read() {
    std::string text;
    char buffer[16384];
    while (text.size() < options_.limit) {
      const auto got =
          ::read(fd_.get(), buffer, std::min(sizeof buffer, options_.limit - text.size()));
      if (got > 0) {
        text.append(buffer, static_cast<std::size_t>(got));
      } else if (got == 0) {
        if (!text.empty() || !may_a_writer_come()) break;
      } else if (errno == EAGAIN) {
        has_writer_ = true;
        wait_for_more();
      } else if (errno != EINTR) {
        refuse(errno_text(errno));
      }
    }
    return text;
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}{}{}: {}", options_.named_by, options_.named_by.empty() ? "" : ": ",
                            printable(path_.string()), why));
  }

  /// Of an end that is no end yet: nobody has opened a named pipe to write into it.
  bool may_a_writer_come() {
    if (has_writer_ || !S_ISFIFO(status_of(fd_).st_mode)) return false;
    if (!is_ready(options_.for_a_writer)) {
      refuse(fmt::format("a pipe that nobody has written to for {:g} s",
                         to_seconds(options_.for_a_writer)));
    }
    has_writer_ = true;
    return true;
  }

  void wait_for_more() const {
    if (is_ready(options_.for_more)) return;
    refuse(fmt::format("a pipe from which nothing came for {:g} s", to_seconds(options_.for_more)));
  }

  [[nodiscard]] bool is_ready(Nanoseconds span) const {
    const auto deadline = Deadline::after(span);
    pollfd entry{.fd = fd_.get(), .events = POLLIN, .revents = 0};
    int ready = ::poll(&entry, 1, deadline.poll_ms());
    while (ready < 0 && errno == EINTR) ready = ::poll(&entry, 1, deadline.poll_ms());
    return check_rc(ready, "poll") > 0;
  }

  const std::filesystem::path& path_;
  const InputOptions& options_;
  FileDescriptor fd_;
  bool has_writer_ = false;
};

}  // namespace

std::string read_input(const std::filesystem::path& path, const InputOptions& options) {
  return InputReader(path, options).read();
}

std::optional<std::string> read_text(const std::filesystem::path& path, std::size_t limit) {
  // Opening a pipe would wait for its other end.
  const FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.is_open() || !S_ISREG(status_of(fd).st_mode)) return std::nullopt;
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

void write_all(int fd, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const auto put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      throw Error(ErrorKind::kSystem,
                  fmt::format("cannot write {}: {}", path.string(), errno_text(errno)));
    }
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
