// A ring all-reduce of float32 sums over any transport, driven by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/deadline.h"
#include "memory/buffer.h"
#include "probe/ring_arms.h"
#include "probe/ring_schedule.h"
#include "transport/transport.h"

namespace ringwise::probe {

struct RingTuning {
  /// Longest message of the ring.
  std::size_t chunk_bytes = transport::kMaxStepBytes;
  /// A channel is used only when each gets so much of the payload; NCCL too uses fewer for small
  /// ones (src/enqueue.cc, calcCollChunking: threadThresholds).
  std::size_t min_channel_bytes = std::size_t{128} << 10;
  /// Received bytes are sent on in pieces of at least so many.
  std::size_t min_offer_bytes = std::size_t{128} << 10;
  /// Rounds without a byte after which the thread blocks; it yields the core between them, and
  /// spins less often where that does not help.
  int spins = 200;
};

class Ring {
 public:
  /// `rank` of `ranks` (at least 2); `stall`: so long without a byte is a failure.
  Ring(int rank, int ranks, transport::Links links, base::Nanoseconds stall,
       const RingTuning& tuning = {});

  /// Chooses algorithm and channels for operations on these buffers and allocates what they need.
  /// The spans stay valid until the next prepare().
  void prepare(std::span<const float> source, std::span<float> result, RingVariant variant);

  /// One operation. Collective. Throws PlacedError when a connection breaks, when nothing moves
  /// for the stall time, or when the deadline passes while it waits.
  void run(base::Deadline deadline);

  /// Channels that the prepared operation uses.
  [[nodiscard]] int channels_used() const { return static_cast<int>(used_); }
  /// Payload bytes that one prepared operation sends over `channel`.
  [[nodiscard]] std::size_t sent_bytes(int channel) const;
  /// Whose data an operation of the wire variant leaves where in the result.
  [[nodiscard]] std::vector<RingSchedule::Piece> wire_pieces() const;
  /// The rank that those pieces come from, and whether the operation goes over arms, where they
  /// come from either side.
  [[nodiscard]] int wire_sender() const;
  [[nodiscard]] bool is_on_arms() const { return is_on_arms_; }
  /// What one prepared operation receives over `channel`.
  [[nodiscard]] std::size_t received_bytes(int channel) const;
  /// The first message that this rank sends in an operation; for the corruption test.
  [[nodiscard]] std::span<const std::byte> first_sent() const;

 private:
  struct Channel {
    transport::Sender* sender = nullptr;
    transport::Receiver* receiver = nullptr;
    RingSchedule schedule;
    RingStep in;                  ///< step that is being received
    RingStep out;                 ///< step that is being sent
    std::size_t posted_in = 0;    ///< steps whose receive is posted
    std::size_t in_step = 0;      ///< steps fully received
    std::size_t in_bytes = 0;     ///< of `in`, received and reduced
    std::size_t out_step = 0;     ///< steps fully offered
    std::size_t out_offered = 0;  ///< bytes of `out` offered
    bool is_out_posted = false;

    [[nodiscard]] bool is_done() const {
      return in_step == schedule.steps() && out_step == schedule.steps() && sender->is_idle();
    }
  };

  void choose_ends(bool is_packet);
  void start();
  bool advance_all();
  bool advance(Channel& channel);
  static void post_receives(Channel& channel);
  static bool consume(Channel& channel);
  bool feed(Channel& channel) const;
  [[nodiscard]] static std::size_t available(const Channel& channel);
  bool spin();
  void wait(base::Deadline deadline);
  /// Segments to the next rank without an answer, all channels together.
  [[nodiscard]] std::uint64_t unacknowledged() const;
  [[nodiscard]] std::vector<std::uint64_t> acknowledged() const;
  /// `acked`: what acknowledged() was early in the wait.
  [[noreturn]] void throw_stalled(base::Nanoseconds idle,
                                  const std::vector<std::uint64_t>& acked) const;
  void throw_if_unanswered(base::Nanoseconds idle, const std::vector<std::uint64_t>& acked) const;
  /// At the stage's end, before the stall limit.
  [[noreturn]] void throw_out_of_time(base::Nanoseconds idle) const;
  [[nodiscard]] bool is_done() const;
  /// The ends that the prepared operation uses.
  [[nodiscard]] std::vector<transport::Sender*> senders() const;
  [[nodiscard]] std::vector<transport::Receiver*> receivers() const;

  int rank_;
  int ranks_;
  transport::Links links_;
  base::Nanoseconds stall_;
  RingTuning tuning_;
  memory::Buffer scratch_;
  std::vector<Channel> channels_;
  std::size_t used_ = 1;
  std::optional<RingArms> arms_;
  bool is_on_arms_ = false;  ///< the prepared operation
  int spin_failures_ = 0;    ///< in a row
  int waits_to_skip_ = 0;    ///< that do not spin
};

}  // namespace ringwise::probe
