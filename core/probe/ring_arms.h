// A tiny all-reduce that uses the connections of a ring in both directions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "probe/ring_schedule.h"
#include "transport/transport.h"

namespace ringwise::probe {

/// Rank 0 is the middle of two arms of neighbours, ranks 1 to ranks / 2 and the others. Each rank
/// adds up what comes from further out and sends it inwards; the sum goes outwards the same way.
/// That is 2 (n - 1) messages in place of n (n - 1) of the tiny ring algorithm, and for an odd
/// number of ranks as many steps one after the other: less work where ranks share cores.
class RingArms {
 public:
  [[nodiscard]] static bool fits(int ranks) { return ranks > 2 && ranks % 2 == 1; }

  /// `links` has ends in both directions and outlives this.
  RingArms(int rank, int ranks, const transport::Links& links);

  /// Spans as of Ring::prepare; `scratch` holds a payload.
  void prepare(const RingBuffers& buffers, RingVariant variant);
  void start();
  /// Moves what can be moved now. True when something moved.
  bool advance();
  [[nodiscard]] bool is_done() const;

  [[nodiscard]] std::size_t sent_bytes() const;
  [[nodiscard]] std::size_t received_bytes() const;
  [[nodiscard]] std::vector<RingSchedule::Piece> wire_pieces() const;
  /// The neighbour that those pieces come from.
  [[nodiscard]] int wire_sender() const;
  [[nodiscard]] std::span<const std::byte> first_sent() const {
    return std::as_bytes(buffers_.source);
  }
  [[nodiscard]] const std::vector<transport::Sender*>& senders() const { return senders_; }
  [[nodiscard]] const std::vector<transport::Receiver*>& receivers() const { return receivers_; }

 private:
  /// A neighbour, in both directions.
  struct Leg {
    transport::Sender* out = nullptr;
    transport::Receiver* in = nullptr;
    bool is_taken = false;  ///< its message of this operation
  };
  /// How far an operation is.
  enum class State { kInwards, kWaiting, kOutwards };

  [[nodiscard]] bool is_middle() const { return rank_ == 0; }
  bool take_inwards(Leg& leg);
  void send_inwards();
  bool take_sum();
  void send_outwards();
  [[nodiscard]] std::size_t bytes() const { return buffers_.source.size_bytes(); }

  int rank_;
  int ranks_;
  Leg inner_;               ///< nearer to the middle; unused in the middle
  std::vector<Leg> outer_;  ///< further out; two in the middle, none at the end of an arm
  std::vector<transport::Sender*> senders_;
  std::vector<transport::Receiver*> receivers_;
  RingBuffers buffers_;
  RingVariant variant_ = RingVariant::kReduce;
  State state_ = State::kInwards;
  std::size_t taken_ = 0;  ///< of outer_
};

}  // namespace ringwise::probe
