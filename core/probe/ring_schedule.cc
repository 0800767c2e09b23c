#include "probe/ring_schedule.h"

#include <algorithm>

namespace ringwise::probe {
namespace {

/// Chunks and parts begin on a cache line.
constexpr std::size_t kLineElements = 64 / sizeof(float);

std::size_t divide_up(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}
std::size_t round_up(std::size_t a, std::size_t to) {
  return divide_up(a, to) * to;
}

const std::byte* bytes_at(std::span<const float> floats, std::size_t at) {
  return reinterpret_cast<const std::byte*>(floats.data() + at);
}
std::byte* bytes_at(std::span<float> floats, std::size_t at) {
  return reinterpret_cast<std::byte*>(floats.data() + at);
}

}  // namespace

RingSchedule::RingSchedule(const Place& place, const RingBuffers& buffers)
    : buffers_(buffers),
      rank_(static_cast<std::size_t>(place.rank)),
      ranks_(static_cast<std::size_t>(place.ranks)),
      variant_(place.variant),
      is_gather_(is_gathered(buffers.source.size(), place.ranks)) {
  const std::size_t elements = buffers.source.size();
  if (is_gather_) {
    end_ = place.channel == 0 ? elements : 0;
    steps_ = end_ == 0 ? 0 : ranks_ - 1;
    return;
  }
  const std::size_t part =
      round_up(divide_up(elements, static_cast<std::size_t>(place.channels)), kLineElements);
  begin_ = std::min(part * static_cast<std::size_t>(place.channel), elements);
  end_ = std::min(begin_ + part, elements);
  chunk_elements_ = place.chunk_bytes / sizeof(float);
  steps_ = divide_up(end_ - begin_, chunk_elements_ * ranks_) * 2 * (ranks_ - 1);
}

RingStep RingSchedule::step(std::size_t number) const {
  return is_gather_ ? gather_step(number) : ring_step(number);
}

RingSchedule::Chunk RingSchedule::chunk(std::size_t loop, std::size_t number) const {
  const std::size_t loop_begin = begin_ + loop * chunk_elements_ * ranks_;
  const std::size_t loop_elements = std::min(end_ - loop_begin, chunk_elements_ * ranks_);
  // The last loop is shorter: its chunks too, so that every rank has some of it.
  const std::size_t size =
      std::min(chunk_elements_, round_up(divide_up(loop_elements, ranks_), kLineElements));
  const std::size_t first = std::min(number * size, loop_elements);
  return {loop_begin + first, std::min(size, loop_elements - first)};
}

RingStep RingSchedule::ring_step(std::size_t number) const {
  const std::size_t steps_a_loop = 2 * (ranks_ - 1);
  const std::size_t loop = number / steps_a_loop;
  const std::size_t s = number % steps_a_loop;
  const Chunk out = chunk(loop, (rank_ + 2 * ranks_ - s) % ranks_);
  const Chunk in = chunk(loop, (rank_ + 2 * ranks_ - s - 1) % ranks_);
  RingStep step;
  step.follows = s > 0;
  step.send = step.follows ? bytes_at(buffers_.result, out.at) : bytes_at(buffers_.source, out.at);
  step.send_bytes = out.elements * sizeof(float);
  step.receive_bytes = in.elements * sizeof(float);
  if (variant_ == RingVariant::kReduce && s < ranks_ - 1) {
    step.target = buffers_.result.data() + in.at;
    step.operand = buffers_.source.data() + in.at;
  } else {
    step.landing = bytes_at(buffers_.result, in.at);
  }
  return step;
}

RingStep RingSchedule::gather_step(std::size_t number) const {
  const std::size_t elements = end_ - begin_;
  RingStep step;
  step.follows = number > 0;
  step.send = step.follows ? bytes_at(buffers_.scratch, (number - 1) * elements)
                           : bytes_at(buffers_.source, 0);
  step.send_bytes = elements * sizeof(float);
  step.receive_bytes = step.send_bytes;
  step.landing = bytes_at(buffers_.scratch, number * elements);
  if (variant_ == RingVariant::kReduce) {
    step.target = buffers_.result.data();
    step.operand = number == 0 ? buffers_.source.data() : buffers_.result.data();
  } else if (number + 1 == steps_) {
    step.landing = bytes_at(buffers_.result, 0);
  }
  return step;
}

std::vector<RingSchedule::Piece> RingSchedule::wire_pieces() const {
  if (is_gather_) return {{begin_, end_ - begin_, static_cast<int>((rank_ + 1) % ranks_)}};
  std::vector<Piece> pieces;
  const std::size_t loops = steps_ / (2 * (ranks_ - 1));
  for (std::size_t loop = 0; loop < loops; ++loop) {
    for (std::size_t c = 0; c < ranks_; ++c) {
      const Chunk part = chunk(loop, c);
      if (part.elements > 0) pieces.push_back({part.at, part.elements, static_cast<int>(c)});
    }
  }
  return pieces;
}

std::size_t RingSchedule::sent_bytes() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < steps_; ++i) bytes += step(i).send_bytes;
  return bytes;
}

std::size_t RingSchedule::received_bytes() const {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < steps_; ++i) bytes += step(i).receive_bytes;
  return bytes;
}

}  // namespace ringwise::probe
