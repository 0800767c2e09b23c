#include "probe/ring_arms.h"

#include <algorithm>

#include "probe/ring_reduce.h"

namespace ringwise::probe {

RingArms::RingArms(int rank, int ranks, const transport::Links& links)
    : rank_(rank), ranks_(ranks) {
  const Leg next{links.to_next.front().get(), links.from_next.get()};
  const Leg previous{links.to_previous.get(), links.from_previous.front().get()};
  const int last_on_the_right = ranks / 2;
  if (rank == 0) {
    outer_ = {next, previous};
  } else if (rank <= last_on_the_right) {
    inner_ = previous;
    if (rank < last_on_the_right) outer_ = {next};
  } else {
    inner_ = next;
    if (rank - 1 > last_on_the_right) outer_ = {previous};
  }
  for (const auto& leg : outer_) {
    senders_.push_back(leg.out);
    receivers_.push_back(leg.in);
  }
  if (rank == 0) return;
  senders_.push_back(inner_.out);
  receivers_.push_back(inner_.in);
}

void RingArms::prepare(const RingBuffers& buffers, RingVariant variant) {
  buffers_ = buffers;
  variant_ = variant;
}

void RingArms::start() {
  state_ = State::kInwards;
  taken_ = 0;
  for (auto& leg : outer_) {
    leg.is_taken = false;
    leg.in->post(bytes(), nullptr);
  }
  if (!is_middle()) {
    inner_.is_taken = false;
    inner_.in->post(bytes(), reinterpret_cast<std::byte*>(buffers_.result.data()));
  }
}

bool RingArms::advance() {
  bool has_moved = false;
  if (state_ == State::kInwards) {
    for (auto& leg : outer_) has_moved = take_inwards(leg) || has_moved;
    if (taken_ < outer_.size()) return has_moved;
    if (is_middle()) {
      send_outwards();
    } else {
      send_inwards();
    }
    has_moved = true;
  }
  if (state_ == State::kWaiting && take_sum()) {
    send_outwards();
    has_moved = true;
  }
  for (auto* sender : senders_) {
    if (!sender->is_idle()) has_moved = sender->progress() || has_moved;
  }
  return has_moved;
}

bool RingArms::take_inwards(Leg& leg) {
  if (leg.is_taken) return false;
  const bool has_moved = leg.in->progress();
  const auto arrived = leg.in->arrived();
  if (arrived.size() < bytes()) return has_moved;
  const auto* received = reinterpret_cast<const float*>(arrived.data());
  const bool is_first = taken_ == 0;
  if (variant_ == RingVariant::kReduce) {
    float* sum = is_middle() ? buffers_.result.data() : buffers_.scratch.data();
    add_floats(sum, is_first ? buffers_.source.data() : sum, received, buffers_.source.size());
  } else if (is_middle() && &leg == outer_.data()) {
    std::copy_n(received, buffers_.source.size(), buffers_.result.data());
  }
  leg.in->take(bytes());
  leg.is_taken = true;
  ++taken_;
  return true;
}

void RingArms::send_inwards() {
  const bool is_sum = variant_ == RingVariant::kReduce && !outer_.empty();
  const std::span<const float> from = is_sum ? buffers_.scratch : buffers_.source;
  inner_.out->post(std::as_bytes(from.first(buffers_.source.size())));
  inner_.out->offer(bytes());
  state_ = State::kWaiting;
}

bool RingArms::take_sum() {
  inner_.in->progress();
  if (inner_.in->arrived().size() < bytes()) return false;
  inner_.in->take(bytes());
  inner_.is_taken = true;
  return true;
}

void RingArms::send_outwards() {
  const bool is_own = is_middle() && variant_ == RingVariant::kWire;
  const std::span<const float> from = is_own ? buffers_.source : buffers_.result;
  for (auto& leg : outer_) {
    leg.out->post(std::as_bytes(from));
    leg.out->offer(bytes());
  }
  state_ = State::kOutwards;
}

bool RingArms::is_done() const {
  if (state_ != State::kOutwards) return false;
  for (const auto* sender : senders_) {
    if (!sender->is_idle()) return false;
  }
  return true;
}

std::size_t RingArms::sent_bytes() const {
  return senders_.size() * bytes();
}

std::size_t RingArms::received_bytes() const {
  return receivers_.size() * bytes();
}

std::vector<RingSchedule::Piece> RingArms::wire_pieces() const {
  return {{0, buffers_.source.size(), is_middle() ? 1 : 0}};
}

int RingArms::wire_sender() const {
  if (is_middle()) return 1;
  return rank_ <= ranks_ / 2 ? rank_ - 1 : (rank_ + 1) % ranks_;
}

}  // namespace ringwise::probe
