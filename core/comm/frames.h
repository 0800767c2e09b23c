// Framed messages on a socket pair between a supervisor and its worker.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"

namespace ringwise::comm {

/// What a frame is. The number is the byte on the wire.
enum class FrameType : char {
  kSpec = 'W',      ///< supervisor to worker, once: StageSpec as JSON
  kGather = 'X',    ///< worker: my text of a gather_all
  kMax = 'M',       ///< worker: my number of a max
  kReply = 'G',     ///< supervisor: the result of the exchange
  kPartial = 'H',   ///< supervisor: a gather without the ranks that failed (pack_present)
  kAbort = 'A',     ///< supervisor: another rank failed; body says who and why
  kStep = 'S',      ///< worker: what it does now
  kProgress = 'P',  ///< worker: "0.42 4 MiB, block 3"
  kReport = 'R',    ///< worker: StageReport as JSON; its last frame
};

struct Frame {
  FrameType type = FrameType::kStep;
  std::string body;
};

/// What came of waiting for a frame.
enum class Arrival {
  kFrame,
  kClosed,  ///< the other end has closed, and every whole frame of it was taken
  kLate,    ///< the deadline passed first
};

/// One end of the pair, not owned. Frames are a type byte, a 32-bit length in host order, and the
/// body, at most kLongestBody bytes.
class FrameChannel {
 public:
  static constexpr std::size_t kLongestBody = std::size_t{1} << 30;

  explicit FrameChannel(int fd) : fd_(fd) {}

  /// Throws Error(kTimeout) when the other end does not read, Error(kPeer) when it is gone.
  void send(FrameType type, std::string_view body, base::Deadline deadline);
  /// The same, but tells by false that it could not be sent in whole.
  [[nodiscard]] bool try_send(FrameType type, std::string_view body, base::Deadline deadline);

  /// Waits until something of a frame (or the other end's close) can be read; false at the
  /// deadline.
  bool has_frame(base::Deadline deadline);

  /// The next frame; empty when the other end has closed. Throws Error(kTimeout) at the deadline
  /// and Error(kPeer) on a frame that is none.
  std::optional<Frame> receive(base::Deadline deadline);
  /// The same without throwing at the deadline: a frame that has come in part stays for later.
  [[nodiscard]] Arrival try_receive(Frame& frame, base::Deadline deadline);

 private:
  Arrival fill(base::Deadline deadline, std::size_t wanted);

  int fd_;
  std::string buffer_;
};

}  // namespace ringwise::comm
