// Which bytes a rank sends and receives in each step of a ring all-reduce; pure arithmetic.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ringwise::probe {

/// "reduce" is the collective; "wire" moves the same bytes between the same places and adds
/// nothing up, so that no CPU arithmetic bounds it.
enum class RingVariant { kReduce, kWire };

[[nodiscard]] inline const char* to_text(RingVariant variant) {
  return variant == RingVariant::kReduce ? "reduce" : "wire";
}

/// One step: a message to the next rank and a message from the previous one.
struct RingStep {
  const std::byte* send = nullptr;
  std::size_t send_bytes = 0;
  /// The message is what the step before receives: byte by byte it may go when that has come (and
  /// was reduced). Otherwise it is there from the beginning.
  bool follows = false;
  std::size_t receive_bytes = 0;
  std::byte* landing = nullptr;    ///< null = the transport's own memory
  float* target = nullptr;         ///< target[i] = operand[i] + received[i]; null = nothing
  const float* operand = nullptr;  ///< may be target
};

/// What one operation works on. `source` and `result` do not overlap and have the same length.
struct RingBuffers {
  std::span<const float> source;
  std::span<float> result;
  std::span<float> scratch;  ///< kGatherElements, for the tiny algorithm
};

/// Payloads for which every rank's data goes once round the ring and each rank adds them up
/// itself: n - 1 steps in place of 2 (n - 1). Bytes of one rank times ranks.
inline constexpr std::size_t kGatherBytes = std::size_t{32} << 10;
inline constexpr std::size_t kGatherElements = kGatherBytes / sizeof(float);

/// True when the tiny algorithm moves this payload.
[[nodiscard]] inline bool is_gathered(std::size_t elements, int ranks) {
  return elements * static_cast<std::size_t>(ranks) <= kGatherElements;
}

/// The steps of one channel of one rank.
///
/// Ring: the channel's part of the buffer is cut into loops of ranks x chunk elements. In a loop a
/// chunk passes ranks - 1 steps in which it is added up and ranks - 1 in which the sums are handed
/// round. In step s rank r sends chunk r - s and receives chunk r - s - 1 (mod ranks).
/// source: NCCL 2.30.7 src/device/all_reduce.h, runRing
class RingSchedule {
 public:
  struct Place {
    int rank = 0;
    int ranks = 1;
    int channel = 0;
    int channels = 1;
    RingVariant variant = RingVariant::kReduce;
    std::size_t chunk_bytes = 0;  ///< 4 to kMaxStepBytes, a multiple of 4
  };

  RingSchedule() = default;
  RingSchedule(const Place& place, const RingBuffers& buffers);

  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// Steps without bytes happen when there are fewer elements than ranks.
  [[nodiscard]] RingStep step(std::size_t number) const;
  /// Whose data the "wire" variant leaves where, this channel's part of the result.
  struct Piece {
    std::size_t at = 0;
    std::size_t elements = 0;
    int owner = 0;
  };
  [[nodiscard]] std::vector<Piece> wire_pieces() const;
  /// Payload bytes that this channel sends in one operation.
  [[nodiscard]] std::size_t sent_bytes() const;
  [[nodiscard]] std::size_t received_bytes() const;

 private:
  struct Chunk {
    std::size_t at = 0;  ///< element of the buffer
    std::size_t elements = 0;
  };
  [[nodiscard]] Chunk chunk(std::size_t loop, std::size_t number) const;
  [[nodiscard]] RingStep ring_step(std::size_t number) const;
  [[nodiscard]] RingStep gather_step(std::size_t number) const;

  RingBuffers buffers_;
  std::size_t rank_ = 0;
  std::size_t ranks_ = 1;
  RingVariant variant_ = RingVariant::kReduce;
  bool is_gather_ = false;
  std::size_t begin_ = 0;  ///< the channel's part
  std::size_t end_ = 0;
  std::size_t chunk_elements_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace ringwise::probe
