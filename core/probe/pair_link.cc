#include "probe/pair_link.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"

namespace ringwise::probe {
namespace {

/// Not counted at the start of a transfer: this share of its time, and so many bytes, since a
/// shaped link lets what it saved while idle (a MiB and more) through unshaped.
constexpr double kWarmShare = 0.25;
constexpr std::uint64_t kWarmBytes = std::uint64_t{3} << 19;
/// A transfer that is over before the warm-up counts from here.
constexpr double kLatestWarmShare = 0.75;

/// User and system time of this thread, which moves the bytes alone. What the kernel does in
/// interrupts is not in it. source: getrusage(2)
double cpu_seconds() {
  rusage usage{};
  base::check_rc(getrusage(RUSAGE_THREAD, &usage), "getrusage");
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

void PairLink::wait(bool wants_to_send, bool wants_to_receive, base::Clock::time_point last_move) {
  // At the stall limit an end looks at what it sent. One that only waits gives the other the time
  // to say what it sees of the path. Without the look in between, the end that sends would go on
  // when the other closes, since the kernel then takes a little more.
  const auto now = base::Clock::now();
  const base::Deadline limit(last_move + stall_);
  const base::Deadline first_look(last_move + stall_ / 4);
  if (watched_ != last_move && first_look.has_passed()) {
    watched_ = last_move;
    acked_then_ = stats().acked_bytes;
  }
  const bool is_late = limit.has_passed();
  if (end_.has_passed() && !is_late) {
    throw peer_.error(ErrorKind::kTimeout,
                      fmt::format("the stage's time is over; the last {:.1f} s it waited for {}",
                                  base::to_seconds(now - last_move), peer_.text()),
                      "silent");
  }
  const auto seen = is_late ? stats() : transport::tcp::TcpStats{};
  base::Deadline deadline =
      !is_late || seen.unacked > 0 ? limit : base::Deadline(last_move + stall_ + stall_ / 2);
  if (is_late && (deadline.has_passed() || end_.has_passed())) {
    throw_stalled(seen, wants_to_receive ? "sends nothing" : "takes nothing", now - last_move);
  }
  if (watched_ != last_move) deadline = base::Deadline::earlier(deadline, first_look);
  short events = 0;
  if (wants_to_send) events |= POLLOUT;
  if (wants_to_receive) events |= POLLIN;
  pollfd entry{.fd = fd_.get(), .events = events, .revents = 0};
  // A signal only makes the loop look again.
  [[maybe_unused]] const int ready =
      ::poll(&entry, 1, base::Deadline::earlier(deadline, end_).poll_ms());
}

void PairLink::throw_stalled(const transport::tcp::TcpStats& seen, const char* what,
                             base::Nanoseconds idle) const {
  // Acknowledgements that still come, however few, say that the path is not dead.
  const bool is_slow = seen.unacked > 0 && seen.acked_bytes > acked_then_;
  std::string more;
  if (is_slow) {
    more =
        fmt::format(", though it acknowledges: {} bytes meanwhile", seen.acked_bytes - acked_then_);
  } else if (seen.unacked > 0) {
    more = fmt::format(" and {} segments are not acknowledged", seen.unacked);
  }
  const char* sign = "silent";
  if (seen.unacked > 0) sign = is_slow ? "slow" : "unacknowledged";
  throw peer_.error(
      ErrorKind::kTimeout,
      fmt::format("{} {} for {:.1f} s{}", peer_.text(), what, base::to_seconds(idle), more), sign);
}

std::size_t PairLink::advance_send(Flow& flow, base::Deadline until) {
  if (flow.header_done == sizeof flow.header && flow.left == 0) {
    if (flow.header == 0) {
      flow.is_active = false;
      return 0;
    }
    flow.header_done = 0;
  }
  if (flow.header_done == 0 && flow.left == 0) {
    flow.header = until.has_passed() ? 0 : kPairChunk;
    flow.left = flow.header;
  }
  auto* header = reinterpret_cast<std::byte*>(&flow.header);
  const std::array<iovec, 2> parts{
      iovec{header + flow.header_done, sizeof flow.header - flow.header_done},
      iovec{send_buffer_.data(), static_cast<std::size_t>(flow.left)}};
  const auto bytes =
      transport::tcp::bytes_or_throw(transport::tcp::try_send(fd_.get(), parts), peer_);
  const auto of_header = std::min(bytes, sizeof flow.header - flow.header_done);
  flow.header_done += of_header;
  flow.left -= bytes - of_header;
  flow.payload += bytes - of_header;
  sent_ += bytes;
  if (flow.header == 0 && flow.header_done == sizeof flow.header) flow.is_active = false;
  return bytes;
}

std::size_t PairLink::advance_receive(Flow& flow) {
  std::array<iovec, 1> parts{};
  if (flow.left > 0) {
    parts[0] = {receive_buffer_.data(), static_cast<std::size_t>(flow.left)};
  } else {
    parts[0] = {reinterpret_cast<std::byte*>(&flow.header) + flow.header_done,
                sizeof flow.header - flow.header_done};
  }
  const auto bytes =
      transport::tcp::bytes_or_throw(transport::tcp::try_receive(fd_.get(), parts), peer_);
  received_ += bytes;
  if (flow.left > 0) {
    flow.left -= bytes;
    return bytes;
  }
  flow.header_done += bytes;
  if (flow.header_done < sizeof flow.header) return bytes;
  flow.header_done = 0;
  if (flow.header > kPairChunk) {
    throw peer_.error(ErrorKind::kPeer, fmt::format("{} sent an impossible length", peer_.text()));
  }
  flow.left = flow.header;
  if (flow.header == 0) flow.is_active = false;
  return bytes;
}

void PairLink::send_all(const void* data, std::size_t bytes) {
  std::memcpy(send_buffer_.data(), data, bytes);
  auto last_move = base::Clock::now();
  std::size_t done = 0;
  while (done < bytes) {
    const std::array<iovec, 1> parts{iovec{send_buffer_.data() + done, bytes - done}};
    const auto moved =
        transport::tcp::bytes_or_throw(transport::tcp::try_send(fd_.get(), parts), peer_);
    done += moved;
    sent_ += moved;
    if (moved > 0) last_move = base::Clock::now();
    if (done < bytes) wait(true, false, last_move);
  }
}

void PairLink::receive_all(void* data, std::size_t bytes) {
  auto last_move = base::Clock::now();
  std::size_t done = 0;
  while (done < bytes) {
    std::array<iovec, 1> parts{iovec{static_cast<std::byte*>(data) + done, bytes - done}};
    const auto moved =
        transport::tcp::bytes_or_throw(transport::tcp::try_receive(fd_.get(), parts), peer_);
    done += moved;
    received_ += moved;
    if (moved > 0) last_move = base::Clock::now();
    if (done < bytes && moved == 0) wait(false, true, last_move);
  }
}

std::vector<double> PairLink::latencies(bool is_first, int most, base::Nanoseconds span) {
  std::vector<double> half_trips_us;
  constexpr std::uint64_t kLast = 1;
  if (!is_first) {
    // Answers until the other end says that it was the last.
    std::uint64_t ping = 0;
    while (ping != kLast) {
      ping = receive_value<std::uint64_t>();
      send_value(ping);
    }
    return half_trips_us;
  }
  half_trips_us.reserve(static_cast<std::size_t>(most));
  const auto deadline = base::Deadline::after(span);
  constexpr int kWarm = 5;
  constexpr int kFewest = 20;
  for (int i = 0; i < most + kWarm; ++i) {
    const bool is_last = i + 1 == most + kWarm || (i >= kWarm + kFewest && deadline.has_passed());
    const auto start = base::Clock::now();
    send_value<std::uint64_t>(is_last ? kLast : 0);
    [[maybe_unused]] const auto echo = receive_value<std::uint64_t>();
    const std::chrono::duration<double, std::micro> took = base::Clock::now() - start;
    if (i >= kWarm) half_trips_us.push_back(took.count() / 2);
    if (is_last) break;
  }
  return half_trips_us;
}

PairLink::Ran PairLink::run(bool sends, bool receives, base::Nanoseconds span) {
  Flow out{.is_active = sends};
  Flow in{.is_active = receives};
  const double cpu_before_s = cpu_seconds();
  const auto start = base::Clock::now();
  const base::Deadline until(start + span);
  const auto part = [&](double share) {
    return start + base::from_seconds(base::to_seconds(span) * share);
  };
  const auto warm_until = part(kWarmShare);
  const auto latest_warm = part(kLatestWarmShare);
  const std::uint64_t received_before = received_;
  std::uint64_t warm_bytes = 0;
  auto warm_at = start;
  auto last_move = start;
  auto last_receive = start;
  while (out.is_active || in.is_active) {
    std::size_t moved = 0;
    if (out.is_active) moved += advance_send(out, until);
    if (in.is_active) {
      const auto bytes = advance_receive(in);
      moved += bytes;
      if (bytes > 0) {
        last_receive = base::Clock::now();
        const auto received = received_ - received_before;
        const bool is_warm =
            (last_receive >= warm_until && received >= kWarmBytes) || last_receive >= latest_warm;
        if (warm_bytes == 0 && is_warm) {
          warm_bytes = received;
          warm_at = last_receive;
        }
      }
    }
    if (moved > 0) {
      last_move = base::Clock::now();
    } else if (out.is_active || in.is_active) {
      wait(out.is_active, in.is_active, last_move);
    }
  }
  // A transfer that ended within the warm-up counts whole.
  const double seconds = base::to_seconds(last_receive - warm_at);
  const auto counted = received_ - received_before - warm_bytes;
  return {.seen = {.bytes_per_s = seconds > 0 ? static_cast<double>(counted) / seconds : 0,
                   .cpu_s = cpu_seconds() - cpu_before_s},
          .payload_bytes = out.payload};
}

Transfer PairLink::one_way(bool i_send, base::Nanoseconds span) {
  const auto ran = run(i_send, !i_send, span);
  if (!i_send) {
    send_value(ran.seen);
    return {.bytes_per_s = ran.seen.bytes_per_s, .receiver_cpu_s = ran.seen.cpu_s};
  }
  const auto seen = receive_value<Seen>();
  return {.bytes_per_s = seen.bytes_per_s,
          .payload_bytes = ran.payload_bytes,
          .sender_cpu_s = ran.seen.cpu_s,
          .receiver_cpu_s = seen.cpu_s};
}

Transfer PairLink::both_ways(base::Nanoseconds span) {
  const auto ran = run(true, true, span);
  send_value(ran.seen);
  return {.bytes_per_s = receive_value<Seen>().bytes_per_s, .payload_bytes = ran.payload_bytes};
}

transport::tcp::TcpStats PairLink::stats() const {
  return transport::tcp::tcp_stats(fd_.get());
}

}  // namespace ringwise::probe
