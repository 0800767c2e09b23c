// Owners of operating system handles.
#pragma once

#include <memory>
#include <utility>

namespace ringwise::base {

/// Owns one file descriptor; closes it when destroyed. -1 is "none".
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  /// Gives up ownership; the caller closes it.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }
  void reset();

 private:
  int fd_ = -1;
};

/// A unique_ptr whose deleter is a C function: UniqueHandle<addrinfo, freeaddrinfo>.
template <auto Function>
struct CallFunction {
  template <typename T>
  void operator()(T* pointer) const {
    Function(pointer);
  }
};
template <typename T, auto Function>
using UniqueHandle = std::unique_ptr<T, CallFunction<Function>>;

}  // namespace ringwise::base
