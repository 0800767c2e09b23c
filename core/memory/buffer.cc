#include "memory/buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"

namespace ringwise::memory {
namespace {

void release_host(std::byte* data, std::size_t bytes) noexcept {
  munmap(data, bytes);
}

}  // namespace

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      kind_(other.kind_),
      release_(std::exchange(other.release_, nullptr)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    reset();
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    kind_ = other.kind_;
    release_ = std::exchange(other.release_, nullptr);
  }
  return *this;
}

std::span<float> Buffer::floats() {
  return {reinterpret_cast<float*>(data_), bytes_ / sizeof(float)};
}

void Buffer::reset() noexcept {
  if (data_ != nullptr && release_ != nullptr) release_(data_, bytes_);
  data_ = nullptr;
  bytes_ = 0;
}

Buffer allocate_host(std::size_t bytes) {
  if (bytes == 0) return {};
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    throw Error(ErrorKind::kRefused,
                fmt::format("cannot allocate {} of host memory: {}", base::format_bytes(bytes),
                            base::errno_text(errno)));
  }
  Buffer buffer(static_cast<std::byte*>(data), bytes, "host", release_host);
  // Large pages where the system has them: fewer faults and fewer entries of the TLB.
  madvise(data, bytes, MADV_HUGEPAGE);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  volatile std::byte* first = buffer.bytes().data();
  for (std::size_t at = 0; at < bytes; at += page) first[at] = std::byte{0};
  return buffer;
}

}  // namespace ringwise::memory
