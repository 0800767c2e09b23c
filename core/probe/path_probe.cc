#include "probe/path_probe.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "plan/path_mtu.h"
#include "transport/tcp/socket.h"
#include "transport/udp/path_socket.h"

namespace ringwise::probe {
namespace {

namespace tcp = transport::tcp;
namespace udp = transport::udp;

/// A lost packet is sent so many times before it counts as one that does not arrive.
constexpr int kTries = 3;

/// What the ends tell each other over the pair's connection. After kBye comes nothing more.
enum class Kind : std::uint32_t {
  kPort = 1,     ///< first: the UDP port, 0 = no socket
  kArrived = 2,  ///< first: bytes of the packet
  kDone = 3,     ///< first, second: route and forward MTU of the sender of the note, 0 = unknown
  kBye = 4,      ///< no more answers either
};
struct Note {
  std::uint32_t kind = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// A number that a peer sent as a packet size.
std::optional<int> size_of(std::uint32_t number) {
  if (number == 0 || number > (1U << 30)) return std::nullopt;
  return static_cast<int>(number);
}

class PathProbe {
 public:
  PathProbe(PairLink& link, const PathEnds& ends, const PathTimes& times)
      : link_(link),
        ends_(ends),
        times_(times),
        deadline_(base::Deadline::after(times.limit)),
        route_(udp::route_mtu(ends.local, ends.remote)),
        socket_(udp::PathSocket::open(ends.local, ends.token, open_error_)),
        search_(limits()) {
    findings_.forward.device_mtu = ends.device_mtu;
    findings_.forward.route_mtu = route_.bytes;
    peer_id_ = ends.id;
    peer_id_.source = static_cast<std::uint32_t>(link.peer().rank);
  }

  PathFindings run() {
    send({static_cast<std::uint32_t>(Kind::kPort), socket_ ? socket_->port() : 0U, 0});
    while (!has_said_bye_ || !has_heard_bye_) {
      answer_packets();
      take_notes();
      advance();
      if (is_done_ && is_peer_done_ && !has_said_bye_) {
        send({static_cast<std::uint32_t>(Kind::kBye), 0, 0});
        has_said_bye_ = true;
      }
      if (!has_said_bye_ || !has_heard_bye_) wait();
    }
    if (socket_) findings_.strays = socket_->strays();
    return findings_;
  }

 private:
  struct Attempt {
    int count = 0;
    base::Deadline until;
  };

  plan::PathMtuLimits limits() const {
    const int route = std::min(route_.bytes.value_or(0), model::kLargestIpPacket);
    const int device = std::min(ends_.device_mtu.value_or(route), model::kLargestIpPacket);
    const bool is_inet6 = ends_.local.family() == AF_INET6;
    // A pair inside one host goes over lo, whatever its interface.
    return {.floor = is_inet6 ? plan::kFloorInet6 : plan::kFloorInet,
            .route = route,
            .device = std::max(device, route)};
  }

  void send(const Note& note) { link_.send_all(&note, sizeof note); }

  /// The peer's packets that came. Each size is answered once: the connection loses nothing.
  void answer_packets() {
    if (!socket_) return;
    for (const int bytes : socket_->receive(peer_id_)) {
      if (has_said_bye_ || !answered_.insert(bytes).second) continue;
      send({static_cast<std::uint32_t>(Kind::kArrived), static_cast<std::uint32_t>(bytes), 0});
    }
  }

  void take_notes() {
    while (!has_heard_bye_) {
      std::array<iovec, 1> parts{
          iovec{reinterpret_cast<std::byte*>(&note_) + note_bytes_, sizeof note_ - note_bytes_}};
      const auto bytes = tcp::bytes_or_throw(tcp::try_receive(link_.fd(), parts), link_.peer());
      if (bytes == 0) return;
      note_bytes_ += bytes;
      if (note_bytes_ < sizeof note_) continue;
      note_bytes_ = 0;
      take(note_);
    }
  }

  void take(const Note& note) {
    switch (static_cast<Kind>(note.kind)) {
      case Kind::kPort:
        peer_port_ = static_cast<std::uint16_t>(note.first & 0xffffU);
        // The search has its whole time, however late the peer came here.
        deadline_ = base::Deadline::after(times_.limit);
        return;
      case Kind::kArrived:
        // An answer to what was not asked says nothing.
        if (const auto size = size_of(note.first); size && tried_.contains(*size)) {
          search_.arrived(*size);
        }
        return;
      case Kind::kDone:
        findings_.backward.route_mtu = size_of(note.first);
        findings_.backward.forward_mtu = size_of(note.second);
        is_peer_done_ = true;
        return;
      case Kind::kBye:
        has_heard_bye_ = true;
        return;
    }
    throw link_.peer().error(ErrorKind::kPeer,
                             link_.peer().text() + " sent something that is no note of a path");
  }

  void advance() {
    if (is_done_ || !peer_port_) return;
    if (const auto reason = why_not(); !reason.empty()) return finish(reason);
    for (auto it = attempts_.begin(); it != attempts_.end();) {
      const bool is_over = search_.is_decided(it->first) || !try_again(it->first, it->second);
      it = is_over ? attempts_.erase(it) : std::next(it);
    }
    while (attempts_.empty()) {
      const auto sizes = search_.next();
      if (sizes.empty()) return finish("");
      for (const int size : sizes) start(size);
    }
    if (deadline_.has_passed()) finish(over_time());
  }

  /// Why nothing can be tried; empty = it can.
  [[nodiscard]] std::string why_not() const {
    if (!route_.bytes) return "the route's MTU is unknown: " + base::errno_text(route_.error);
    if (!socket_) return "no UDP socket: " + base::errno_text(open_error_);
    if (*peer_port_ == 0) return fmt::format("{} has no UDP socket", link_.peer().text());
    return {};
  }

  void start(int size) {
    tried_.insert(size);
    Attempt attempt{.count = 0, .until = base::Deadline::after(base::Nanoseconds{0})};
    if (try_again(size, attempt)) attempts_.emplace(size, attempt);
  }

  /// Sends the size once more when its time is up; false when it was sent often enough or cannot be
  /// sent at all.
  bool try_again(int size, Attempt& attempt) {
    if (!attempt.until.has_passed()) return true;
    const bool is_above = search_.is_above_route(size);
    const int error = attempt.count == (is_above ? 1 : kTries)
                          ? EMSGSIZE
                          : socket_->send(ends_.remote.with_port(*peer_port_), ends_.id, size);
    if (error == EMSGSIZE) {
      search_.lost(size);
      return false;
    }
    if (error != 0) send_error_ = error;
    ++attempt.count;
    attempt.until = base::Deadline::after(patience(is_above));
    return true;
  }

  [[nodiscard]] base::Nanoseconds patience(bool is_above_route) const {
    constexpr int kRoundTrips = 4;
    const auto trips = std::chrono::microseconds(tcp::tcp_stats(link_.fd()).rtt_us) * kRoundTrips;
    return is_above_route
               ? std::clamp<base::Nanoseconds>(trips, times_.short_patience, times_.patience)
               : std::clamp<base::Nanoseconds>(trips, times_.patience, times_.most_patience);
  }

  [[nodiscard]] std::string over_time() const {
    const auto largest = search_.largest();
    if (largest && *largest >= *route_.bytes) return {};
    return fmt::format(
        "the search was not over after {:.1f} s: {}{}", base::to_seconds(times_.limit),
        largest ? fmt::format("{} bytes arrived", *largest) : "nothing arrived",
        search_.smallest_lost() ? fmt::format(", {} did not", *search_.smallest_lost())
                                : std::string());
  }

  void finish(const std::string& reason) {
    auto& found = findings_.forward;
    if (!reason.empty()) {
      found.reason = reason;
    } else if (search_.largest()) {
      found.forward_mtu = search_.largest();
    } else {
      found.reason =
          fmt::format("no UDP packet arrived{}",
                      send_error_ != 0 ? ": " + base::errno_text(send_error_) : std::string());
    }
    is_done_ = true;
    send({static_cast<std::uint32_t>(Kind::kDone),
          static_cast<std::uint32_t>(found.route_mtu.value_or(0)),
          static_cast<std::uint32_t>(found.forward_mtu.value_or(0))});
  }

  void wait() {
    auto until = is_done_ ? base::Deadline(deadline_.at() + link_.stall()) : deadline_;
    for (const auto& [size, attempt] : attempts_) {
      if (!is_done_) until = base::Deadline::earlier(until, attempt.until);
    }
    const base::Deadline latest(deadline_.at() + link_.stall());
    if (latest.has_passed()) {
      throw link_.peer().error(
          ErrorKind::kTimeout,
          fmt::format("{} does not answer about the path", link_.peer().text()), "silent");
    }
    // Until the peer has said its port, only its silence ends the wait.
    if (!peer_port_) until = latest;
    std::array<pollfd, 2> polls{
        pollfd{.fd = link_.fd(), .events = POLLIN, .revents = 0},
        pollfd{.fd = socket_ ? socket_->fd() : -1, .events = POLLIN, .revents = 0}};
    // A signal only makes the loop look again.
    [[maybe_unused]] const int ready = ::poll(polls.data(), polls.size(), until.poll_ms());
  }

  PairLink& link_;
  const PathEnds& ends_;
  const PathTimes& times_;
  base::Deadline deadline_;
  udp::RouteMtu route_;
  int open_error_ = 0;
  std::optional<udp::PathSocket> socket_;
  plan::PathMtuSearch search_;
  tcp::ConnectionId peer_id_;  ///< of what the peer sends
  std::optional<std::uint16_t> peer_port_;
  std::set<int> tried_;
  std::set<int> answered_;
  std::map<int, Attempt> attempts_;  ///< by size, under way
  int send_error_ = 0;               ///< errno of the last packet that could not be sent
  Note note_;
  std::size_t note_bytes_ = 0;
  bool is_done_ = false;
  bool is_peer_done_ = false;
  bool has_said_bye_ = false;
  bool has_heard_bye_ = false;
  PathFindings findings_;
};

}  // namespace

PathFindings probe_path(PairLink& link, const PathEnds& ends, const PathTimes& times) {
  return PathProbe(link, ends, times).run();
}

}  // namespace ringwise::probe
