#include "transport/shm/ends.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace ringwise::transport::shm {

bool ShmSender::can_post() const {
  if (posted_ == finished_) return true;
  const Message& last = messages_[(posted_ - 1) % kStepsInFlight];
  return posted_ - finished_ < kStepsInFlight && last.offered == last.data.size();
}

void ShmSender::post(std::span<const std::byte> bytes) {
  message(posted_++) = {bytes, 0, 0};
}

void ShmSender::offer(std::size_t bytes) {
  message(posted_ - 1).offered += bytes;
}

bool ShmSender::is_blocked() const {
  return posted_ != finished_ && messages_[finished_ % kStepsInFlight].offered > 0 &&
         finished_ - queue_.taken.load() >= kStepsInFlight;
}

// One piece at a time: the caller looks after its other connections in between.
bool ShmSender::progress() {
  if (posted_ == finished_) return false;
  Message& oldest = message(finished_);
  if (oldest.written == oldest.offered) return false;
  Queue::Slot& slot = queue_.slots[finished_ % kStepsInFlight];
  if (oldest.written == 0) {
    if (finished_ - queue_.taken.load() >= kStepsInFlight) return false;
    slot.written.store(0, std::memory_order_relaxed);
    slot.bytes.store(oldest.data.size(), std::memory_order_relaxed);
    queue_.begun.store(finished_ + 1);
  }
  const std::size_t bytes = std::min(oldest.offered - oldest.written, kCopyBytes);
  std::memcpy(slots_ + (finished_ % kStepsInFlight) * kMaxStepBytes + oldest.written,
              oldest.data.data() + oldest.written, bytes);
  oldest.written += bytes;
  slot.written.store(oldest.written);
  bell_.ring();
  if (oldest.written == oldest.data.size()) ++finished_;
  return true;
}

void ShmReceiver::post(std::size_t bytes, std::byte* landing) {
  messages_[posted_++ % kStepsInFlight] = {bytes, landing, 0, 0};
}

bool ShmReceiver::progress() {
  if (taken_ == posted_ || queue_.begun.load() <= taken_) return false;
  Message& oldest = messages_[taken_ % kStepsInFlight];
  const Queue::Slot& from = queue_.slots[taken_ % kStepsInFlight];
  const std::uint64_t size = from.bytes.load(std::memory_order_relaxed);
  if (size != oldest.bytes) {
    throw peer_.error(ErrorKind::kPeer,
                      fmt::format("{} sent a message of {} bytes where {} were expected",
                                  peer_.text(), size, oldest.bytes));
  }
  std::size_t fresh = from.written.load() - oldest.here;
  if (fresh == 0) return false;
  if (oldest.landing != nullptr) {
    fresh = std::min(fresh, kCopyBytes);
    std::memcpy(oldest.landing + oldest.here, slot(taken_) + oldest.here, fresh);
  }
  oldest.here += fresh;
  return true;
}

std::span<const std::byte> ShmReceiver::arrived() const {
  if (taken_ == posted_) return {};
  const Message& oldest = messages_[taken_ % kStepsInFlight];
  const std::byte* from = oldest.landing != nullptr ? oldest.landing : slot(taken_);
  return {from + oldest.taken, oldest.here - oldest.taken};
}

void ShmReceiver::take(std::size_t bytes) {
  Message& oldest = messages_[taken_ % kStepsInFlight];
  oldest.taken += bytes;
  if (oldest.taken < oldest.bytes) return;
  queue_.taken.store(++taken_);
  bell_.ring();
}

}  // namespace ringwise::transport::shm
