// Memory that transports move and collectives reduce, behind one interface for every kind.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ringwise::memory {

/// Owns one allocation and gives it back to where it came from.
class Buffer {
 public:
  using Release = void (*)(std::byte* data, std::size_t bytes) noexcept;

  Buffer() = default;
  /// Takes over `bytes` at `data`; `kind` is the name of the row of registry.h.
  Buffer(std::byte* data, std::size_t bytes, std::string_view kind, Release release)
      : data_(data), bytes_(bytes), kind_(kind), release_(release) {}
  ~Buffer() { reset(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  [[nodiscard]] std::span<std::byte> bytes() { return {data_, bytes_}; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, bytes_}; }
  [[nodiscard]] std::size_t size() const { return bytes_; }
  /// "host", ...
  [[nodiscard]] std::string_view kind() const { return kind_; }
  /// The same bytes as float32 elements; only for host memory.
  [[nodiscard]] std::span<float> floats();

 private:
  void reset() noexcept;

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::string_view kind_ = "host";
  Release release_ = nullptr;
};

/// Page-aligned host memory, zero, every page touched, so that no first use is timed. Zero bytes
/// give an empty buffer. Throws Error(kRefused) with the size when the system has no more.
[[nodiscard]] Buffer allocate_host(std::size_t bytes);

}  // namespace ringwise::memory
