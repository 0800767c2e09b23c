// One piece of POSIX shared memory: made by one rank, attached by others of the same host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ringwise::transport::shm {

/// Empty when shared memory can be made here; otherwise why not, in words.
[[nodiscard]] std::string why_unusable();

/// Removes segments of this user that a crashed run left behind: a segment has a name only while
/// ranks attach to it, so one that has kept it for ten minutes is abandoned.
void remove_leftovers();

/// Removes what workers of this run left behind that were killed while they attached. Only when
/// none of them is at work.
void remove_run(std::uint64_t run_id);
/// How the names of a run's segments begin.
[[nodiscard]] std::string run_prefix(std::uint64_t run_id);

/// Owns a mapping, and its name until unlink().
class Segment {
 public:
  /// Makes `name` (without slash) with `bytes` that are really there: writing to it can not fail
  /// later. Only this user may open it. Throws Error(kRefused) with what is needed and what is
  /// free when there is no room.
  static Segment create(const std::string& name, std::size_t bytes);
  /// Attaches to what another rank made. Throws Error(kUnavailable) when it is not there, Error
  /// (kPeer) when it has another size.
  static Segment attach(const std::string& name, std::size_t bytes);

  Segment() = default;
  ~Segment() { reset(); }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&& other) noexcept;

  /// Takes the name away; the memory lives until everyone has let go of it.
  void unlink() noexcept;
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  void reset() noexcept;

  std::string name_;  ///< empty once unlinked, and where only attached
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ringwise::transport::shm
