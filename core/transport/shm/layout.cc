#include "transport/shm/layout.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace ringwise::transport::shm {
namespace {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

// Not the private kind: waiter and waker are different processes. A spurious return is fine.
void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* timeout) {
  syscall(SYS_futex, &word, operation, value, timeout, nullptr, 0);
}

}  // namespace

void Bell::ring() {
  if (is_waiting.load() == 0) return;
  rings.fetch_add(1);
  futex(rings, FUTEX_WAKE, INT_MAX, nullptr);
}

void Bell::arm() {
  seen_ = rings.load();
  is_waiting.store(1);
}

void Bell::wait(int milliseconds) {
  const timespec timeout{milliseconds / 1000, (milliseconds % 1000) * 1000000L};
  if (rings.load() == seen_) futex(rings, FUTEX_WAIT, seen_, &timeout);
  is_waiting.store(0);
}

}  // namespace ringwise::transport::shm
