#include "probe/ring.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "probe/ring_reduce.h"

namespace ringwise::probe {
namespace {

/// How long one blocking wait lasts at most: the clock is looked at between them.
constexpr int kWaitMs = 50;
/// After so many failures in a row spinning is tried at every 64th wait.
constexpr int kMaxSpinFailures = 6;
/// Fits one packet, header included, on every network.
constexpr std::size_t kOnePacketBytes = 1024;

}  // namespace

Ring::Ring(int rank, int ranks, transport::Links links, base::Nanoseconds stall,
           const RingTuning& tuning)
    : rank_(rank),
      ranks_(ranks),
      links_(std::move(links)),
      stall_(stall),
      tuning_(tuning),
      scratch_(memory::allocate_host(kGatherBytes)),
      channels_(links_.to_next.size()) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    channels_[i].sender = links_.to_next[i].get();
    channels_[i].receiver = links_.from_previous[i].get();
  }
  if (links_.to_previous && links_.from_next && RingArms::fits(ranks)) {
    arms_.emplace(rank, ranks, links_);
  }
}

void Ring::prepare(std::span<const float> source, std::span<float> result, RingVariant variant) {
  used_ = is_gathered(source.size(), ranks_)
              ? 1
              : std::clamp<std::size_t>(source.size_bytes() / tuning_.min_channel_bytes, 1,
                                        channels_.size());
  const RingBuffers buffers{source, result, scratch_.floats()};
  is_on_arms_ = arms_ && is_gathered(source.size(), ranks_);
  if (is_on_arms_) arms_->prepare(buffers, variant);
  choose_ends(source.size_bytes() <= kOnePacketBytes);
  RingSchedule::Place place;
  place.rank = rank_;
  place.ranks = ranks_;
  place.channels = static_cast<int>(used_);
  place.variant = variant;
  place.chunk_bytes = tuning_.chunk_bytes;
  for (std::size_t i = 0; i < used_; ++i) {
    place.channel = static_cast<int>(i);
    channels_[i].schedule = RingSchedule(place, buffers);
  }
}

// Two ranks exchange a packet each over one connection: it carries the acknowledgement of the one
// before.
void Ring::choose_ends(bool is_packet) {
  Channel& first = channels_.front();
  const bool is_shared = is_packet && ranks_ == 2 && links_.to_previous && links_.from_next;
  first.sender = is_shared && rank_ == 1 ? links_.to_previous.get() : links_.to_next[0].get();
  first.receiver = is_shared && rank_ == 0 ? links_.from_next.get() : links_.from_previous[0].get();
}

std::size_t Ring::sent_bytes(int channel) const {
  const auto at = static_cast<std::size_t>(channel);
  if (at >= used_) return 0;
  return is_on_arms_ ? arms_->sent_bytes() : channels_[at].schedule.sent_bytes();
}

std::size_t Ring::received_bytes(int channel) const {
  const auto at = static_cast<std::size_t>(channel);
  if (at >= used_) return 0;
  return is_on_arms_ ? arms_->received_bytes() : channels_[at].schedule.received_bytes();
}

std::span<const std::byte> Ring::first_sent() const {
  if (is_on_arms_) return arms_->first_sent();
  const RingStep first = channels_[0].schedule.step(0);
  return {first.send, first.send_bytes};
}

int Ring::wire_sender() const {
  return is_on_arms_ ? arms_->wire_sender() : (rank_ + ranks_ - 1) % ranks_;
}

std::vector<RingSchedule::Piece> Ring::wire_pieces() const {
  if (is_on_arms_) return arms_->wire_pieces();
  std::vector<RingSchedule::Piece> all;
  for (std::size_t i = 0; i < used_; ++i) {
    const auto pieces = channels_[i].schedule.wire_pieces();
    all.insert(all.end(), pieces.begin(), pieces.end());
  }
  return all;
}

void Ring::run(base::Deadline deadline) {
  start();
  while (true) {
    while (advance_all()) {
    }
    if (is_done()) return;
    wait(deadline);
  }
}

bool Ring::is_done() const {
  if (is_on_arms_) return arms_->is_done();
  return std::all_of(channels_.begin(), channels_.begin() + static_cast<std::ptrdiff_t>(used_),
                     [](const Channel& channel) { return channel.is_done(); });
}

void Ring::start() {
  if (is_on_arms_) {
    arms_->start();
    return;
  }
  for (std::size_t i = 0; i < used_; ++i) {
    Channel& channel = channels_[i];
    channel.posted_in = 0;
    channel.in_step = 0;
    channel.in_bytes = 0;
    channel.out_step = 0;
    channel.out_offered = 0;
    channel.is_out_posted = false;
    if (channel.schedule.steps() > 0) {
      channel.in = channel.schedule.step(0);
      channel.out = channel.in;
    }
  }
}

bool Ring::advance_all() {
  if (is_on_arms_) return arms_->advance();
  bool has_moved = false;
  for (std::size_t i = 0; i < used_; ++i) has_moved = advance(channels_[i]) || has_moved;
  return has_moved;
}

// Sending comes first: at the start of an operation the first message goes out before the thread
// looks for one, and later what was just reduced is still in the cache.
bool Ring::advance(Channel& channel) {
  bool has_moved = false;
  if (channel.out_step != channel.schedule.steps() || !channel.sender->is_idle()) {
    feed(channel);
    has_moved = channel.sender->progress();
  }
  if (channel.in_step != channel.schedule.steps()) {
    post_receives(channel);
    has_moved = channel.receiver->progress() || has_moved;
    if (consume(channel)) {
      has_moved = true;
      feed(channel);
      channel.sender->progress();
    }
  }
  return has_moved;
}

void Ring::post_receives(Channel& channel) {
  while (channel.posted_in != channel.schedule.steps() && channel.receiver->can_post()) {
    const RingStep step = channel.schedule.step(channel.posted_in++);
    if (step.receive_bytes > 0) channel.receiver->post(step.receive_bytes, step.landing);
  }
}

bool Ring::consume(Channel& channel) {
  bool has_moved = false;
  while (channel.in_step != channel.posted_in) {
    const RingStep& step = channel.in;
    if (channel.in_bytes < step.receive_bytes) {
      const auto bytes = channel.receiver->arrived();
      // A cut element waits for its rest.
      const std::size_t usable = bytes.size() / sizeof(float) * sizeof(float);
      if (usable == 0) break;
      if (step.target != nullptr) {
        const std::size_t at = channel.in_bytes / sizeof(float);
        add_floats(step.target + at, step.operand + at,
                   reinterpret_cast<const float*>(bytes.data()), usable / sizeof(float));
      }
      channel.receiver->take(usable);
      channel.in_bytes += usable;
      has_moved = true;
      if (channel.in_bytes < step.receive_bytes) break;
    }
    channel.in_bytes = 0;
    if (++channel.in_step != channel.schedule.steps()) {
      channel.in = channel.schedule.step(channel.in_step);
    }
  }
  return has_moved;
}

std::size_t Ring::available(const Channel& channel) {
  const bool is_complete = !channel.out.follows || channel.out_step - 1 < channel.in_step;
  if (is_complete) return channel.out.send_bytes;
  return channel.out_step - 1 == channel.in_step ? channel.in_bytes : 0;
}

bool Ring::feed(Channel& channel) const {
  bool has_fed = false;
  while (channel.out_step != channel.schedule.steps()) {
    const std::size_t total = channel.out.send_bytes;
    if (total > 0) {
      const std::size_t ready = available(channel) - channel.out_offered;
      const bool is_rest = channel.out_offered + ready == total;
      if (ready == 0 || (!is_rest && ready < tuning_.min_offer_bytes)) break;
      if (!channel.is_out_posted) {
        if (!channel.sender->can_post()) break;
        channel.sender->post({channel.out.send, total});
        channel.is_out_posted = true;
      }
      channel.sender->offer(ready);
      channel.out_offered += ready;
      has_fed = true;
      if (!is_rest) break;
    }
    channel.is_out_posted = false;
    channel.out_offered = 0;
    if (++channel.out_step != channel.schedule.steps()) {
      channel.out = channel.schedule.step(channel.out_step);
    }
  }
  return has_fed;
}

// Bytes that come soon are waited for awake: to sleep and be woken costs more. On a slow or shaped
// path, or when other processes need the cores, they do not come soon, and a thread that spins in
// vain is scheduled later when they do: after each failure more waits go by without spinning.
bool Ring::spin() {
  if (waits_to_skip_ > 0) {
    --waits_to_skip_;
    return false;
  }
  for (int i = 0; i < tuning_.spins; ++i) {
    sched_yield();
    if (advance_all()) {
      spin_failures_ = 0;
      return true;
    }
  }
  spin_failures_ = std::min(spin_failures_ + 1, kMaxSpinFailures);
  waits_to_skip_ = (1 << spin_failures_) - 1;
  return false;
}

void Ring::wait(base::Deadline deadline) {
  if (spin()) return;
  const auto since = base::Clock::now();
  std::vector<std::uint64_t> acked;
  while (true) {
    links_.waiter->prepare();
    if (advance_all()) return;
    links_.waiter->wait(kWaitMs);
    if (advance_all()) return;
    const auto now = base::Clock::now();
    // A rank whose own bytes get no answer is nearer to the cause than one that only waits: it
    // speaks first, and the others keep their connections until it has.
    if (acked.empty() && now - since >= stall_ / 4) acked = acknowledged();
    const bool is_late = now - since >= stall_;
    if (is_late && unacknowledged() > 0) throw_stalled(now - since, acked);
    if (now - since >= stall_ + stall_ / 2) throw_stalled(now - since, acked);
    if (now >= deadline.at()) {
      if (is_late) throw_stalled(now - since, acked);
      throw_out_of_time(now - since);
    }
  }
}

std::uint64_t Ring::unacknowledged() const {
  std::uint64_t segments = 0;
  for (const auto* sender : senders()) segments += sender->unacknowledged();
  return segments;
}

std::vector<transport::Sender*> Ring::senders() const {
  if (is_on_arms_) return arms_->senders();
  std::vector<transport::Sender*> ends;
  for (std::size_t i = 0; i < used_; ++i) ends.push_back(channels_[i].sender);
  return ends;
}

std::vector<transport::Receiver*> Ring::receivers() const {
  if (is_on_arms_) return arms_->receivers();
  std::vector<transport::Receiver*> ends;
  for (std::size_t i = 0; i < used_; ++i) ends.push_back(channels_[i].receiver);
  return ends;
}

void Ring::throw_out_of_time(base::Nanoseconds idle) const {
  // So short a wait accuses nobody: the stage may only have been slow.
  for (const auto* receiver : receivers()) {
    if (receiver->posted() == 0) continue;
    const auto& peer = receiver->peer();
    throw peer.error(ErrorKind::kTimeout,
                     fmt::format("the stage's time is over; the last {:.1f} s it waited for {}",
                                 base::to_seconds(idle), peer.text()),
                     "silent");
  }
  throw_stalled(idle, acknowledged());
}

std::vector<std::uint64_t> Ring::acknowledged() const {
  std::vector<std::uint64_t> bytes;
  for (const auto* sender : senders()) bytes.push_back(sender->acknowledged_bytes());
  return bytes;
}

/// A path on which acknowledgements still come, however few, is slow and not dead.
void Ring::throw_if_unanswered(base::Nanoseconds idle,
                               const std::vector<std::uint64_t>& acked) const {
  const double seconds = base::to_seconds(idle);
  const auto ends = senders();
  for (const bool is_slow : {false, true}) {
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const auto segments = ends[i]->unacknowledged();
      const auto answered = ends[i]->acknowledged_bytes() - acked.at(i);
      if (segments == 0 || (answered > 0) != is_slow) continue;
      const auto& peer = ends[i]->peer();
      const auto text =
          is_slow
              ? fmt::format("{} acknowledges too slowly what it is sent: {} bytes in {:.1f} s",
                            peer.text(), answered, seconds)
              : fmt::format("{} does not acknowledge what it is sent: {} {} for {:.1f} s",
                            peer.text(), segments, segments == 1 ? "segment" : "segments", seconds);
      throw peer.error(ErrorKind::kTimeout, text, is_slow ? "slow" : "unacknowledged");
    }
  }
}

void Ring::throw_stalled(base::Nanoseconds idle, const std::vector<std::uint64_t>& acked) const {
  const double seconds = base::to_seconds(idle);
  throw_if_unanswered(idle, acked);
  // A neighbour that does not take bytes is nearer to the cause than one that sends none: that one
  // may be waiting itself.
  for (const auto* sender : senders()) {
    const auto& peer = sender->peer();
    if (!sender->is_blocked()) continue;
    throw peer.error(ErrorKind::kTimeout,
                     fmt::format("{} has taken no bytes for {:.1f} s", peer.text(), seconds),
                     "silent");
  }
  for (const auto* receiver : receivers()) {
    const auto& peer = receiver->peer();
    if (receiver->posted() == 0) continue;
    throw peer.error(
        ErrorKind::kTimeout,
        fmt::format("{} owes bytes and has sent none for {:.1f} s", peer.text(), seconds),
        "silent");
  }
  throw Error(ErrorKind::kInternal, "the ring stalled though no neighbour owes it anything");
}

}  // namespace ringwise::probe
