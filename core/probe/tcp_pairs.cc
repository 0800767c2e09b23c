#include "probe/tcp_pairs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "plan/pair_schedule.h"
#include "probe/guard.h"
#include "probe/own_link.h"
#include "probe/pair_data.h"
#include "probe/pair_link.h"
#include "probe/path_probe.h"
#include "probe/run_one.h"
#include "probe/targets.h"
#include "stats/percentile.h"
#include "transport/tcp/address.h"
#include "transport/tcp/dialer.h"
#include "transport/tcp/listener.h"

namespace ringwise::probe {
namespace {

namespace tcp = transport::tcp;

constexpr int kMostPings = 1000;
constexpr double kPingShare = 0.1;
constexpr double kTransferShare = 0.2;
/// Another block needs so many times what the earlier ones took to be left of the stage's time.
constexpr double kReserve = 1.5;
/// A rank that failed with so many partners is left alone: each more would cost the stall limit.
constexpr std::size_t kFailedPartners = 2;
/// What does not move over a path that is known to lose large packets will not move later, unless
/// the kernel finds out (tcp_mtu_probing), which takes it four time-outs: 0.2 s, 0.4, 0.8 and 1.6.
constexpr std::chrono::milliseconds kNarrowStall{3500};
/// Pairs end so long before the stage, to say what was found until then.
constexpr std::chrono::seconds kLastWords{1};
/// Once pairs have failed, no other is begun with less time than this.
constexpr std::chrono::seconds kLeastTime{2};

/// The pairs over one interface.
class PairStage {
 public:
  PairStage(StageContext& context, Endpoint endpoint, std::uint32_t group)
      : context_(context),
        endpoint_(std::move(endpoint)),
        group_(group),
        token_(tcp::parse_token(context.spec.token)),
        local_(address_of(endpoint_)),
        until_(context_.deadline.at() -
               std::min<base::Nanoseconds>(kLastWords, context_.deadline.left() / 10)),
        listener_(local_, token_, tcp::SocketOptions{}) {
    const auto said = context_.comm.gather_present(listener_.address().text(), context_.deadline);
    for (std::size_t rank = 0; rank < said.size(); ++rank) {
      addresses_.push_back(said[rank].text);
      if (!said[rank].lost_because.empty()) lost_[static_cast<int>(rank)] = said[rank].lost_because;
    }
    const std::set<std::string> distinct(context.spec.hosts.begin(), context.spec.hosts.end());
    is_one_host_ = distinct.size() == 1;
    plan::ScheduleOptions schedule;
    schedule.nodes = context.spec.hosts;
    schedule.only_between_nodes = !is_one_host_;
    schedule.seed = context.spec.seed;
    rounds_ = plan::rounds(context.spec.ranks, schedule);
  }

  void run(base::Nanoseconds span) {
    const auto steps = static_cast<double>(rounds_.size()) * context_.spec.blocks;
    slice_ = base::from_seconds(base::to_seconds(span) / std::max(1.0, steps));
    const auto start = base::Clock::now();
    for (int block = 0; block < context_.spec.blocks; ++block) {
      if (!fits(block, start)) break;
      for (std::size_t round = 0; round < rounds_.size(); ++round) {
        if (is_out_of_time()) return leave_out(block, round);
        run_round(block, static_cast<int>(round));
        context_.progress(
            (block + static_cast<double>(round + 1) / static_cast<double>(rounds_.size())) /
                context_.spec.blocks,
            fmt::format("{}: block {}, round {} of {}", endpoint_.interface, block + 1, round + 1,
                        rounds_.size()));
      }
    }
  }

  /// Also of a stage that ended early: pairs that it did not come to are skipped ones.
  [[nodiscard]] model::Result result(model::StageReport& report);
  [[nodiscard]] const Payload& payload() const { return payload_; }
  [[nodiscard]] std::size_t rounds() const { return rounds_.size(); }

 private:
  /// Is there time for one more block? Every rank has the same answer. Collective.
  bool fits(int blocks_done, base::Clock::time_point start) {
    if (blocks_done == 0) return true;
    const double each_s = base::to_seconds(base::Clock::now() - start) / blocks_done;
    const double left_s = base::to_seconds(context_.deadline.left());
    return context_.comm.max(each_s * kReserve > left_s ? 1 : 0, context_.deadline) == 0;
  }

  /// Failed pairs take longer than the plan says. The same on all ranks. Collective once pairs
  /// have failed.
  bool is_out_of_time() {
    if (!have_pairs_failed_) return false;
    return context_.comm.max(until_.left() < kLeastTime ? 1 : 0, context_.deadline) > 0;
  }

  /// Pairs of these rounds that were never tried.
  void leave_out(int block, std::size_t from) {
    if (block > 0) return;
    for (std::size_t round = from; round < rounds_.size(); ++round) {
      if (const auto peer = partner(static_cast<int>(round))) {
        pairs_[*peer].round = static_cast<int>(round);
        pairs_[*peer].skipped = "not measured: pairs that failed took the time of the stage";
      }
    }
  }

  [[nodiscard]] std::optional<int> partner(int round) const {
    const int me = context_.spec.rank;
    for (const auto& pair : rounds_[static_cast<std::size_t>(round)]) {
      if (pair.first == me) return pair.second;
      if (pair.second == me) return pair.first;
    }
    return std::nullopt;
  }

  static tcp::SocketAddress address_of(const Endpoint& endpoint) {
    const auto address =
        tcp::SocketAddress::make(endpoint.address, 0, static_cast<std::uint32_t>(endpoint.index));
    if (!address) {
      throw Error(ErrorKind::kInternal, fmt::format("{} is no address", endpoint.address));
    }
    return *address;
  }

  void run_round(int block, int round) {
    const auto peer = partner(round);
    bool has_failed = false;
    if (peer) has_failed = !run_pair(block, round, *peer);
    // Both ends of a pair have to know, whoever noticed; and everyone, whose own link is at fault.
    std::string mine;
    if (has_failed) {
      const auto& failure = *pairs_[*peer].failure;
      mine = std::to_string(*peer);
      if (failure.place.sign == "link-down") mine += " " + failure.text;
    }
    const auto said = context_.comm.gather_present(mine, context_.deadline);
    for (std::size_t rank = 0; rank < said.size(); ++rank) {
      take_word(static_cast<int>(rank), said[rank]);
    }
  }

  void take_word(int rank, const comm::Contribution& said) {
    if (!said.lost_because.empty()) {
      lost_[rank] = said.lost_because;
      have_pairs_failed_ = true;
      return;
    }
    const auto blank = std::min(said.text.find(' '), said.text.size());
    const auto other = base::parse_int(said.text.substr(0, blank));
    if (!other) return;
    have_pairs_failed_ = true;
    failed_partners_[rank].insert(static_cast<int>(*other));
    failed_partners_[static_cast<int>(*other)].insert(rank);
    if (blank == said.text.size()) return;
    lost_[rank] = fmt::format("rank {} ({}): {}", rank, host(rank), said.text.substr(blank + 1));
  }

  /// False when the pair failed. One that failed before, or with a rank that fails with everyone,
  /// is not tried again.
  bool run_pair(int block, int round, int peer) {
    auto& data = pairs_[peer];
    data.round = round;
    const auto failures = [&](int rank) -> const std::set<int>& { return failed_partners_[rank]; };
    if (failures(context_.spec.rank).contains(peer)) return true;
    for (const int rank : {peer, context_.spec.rank}) {
      if (const auto lost = lost_.find(rank); lost != lost_.end()) {
        skip(data, lost->second);
        return true;
      }
      if (failures(rank).size() < kFailedPartners) continue;
      skip(data, fmt::format("rank {} ({}) failed with {} other ranks", rank, host(rank),
                             failures(rank).size()));
      return true;
    }
    const auto failure = attempt([&] { measure(block, round, peer, data); });
    if (!failure) return true;
    data.failure = with_own_link(context_, *failure);
    if (data.failure->place.sign != "link-down") {
      data.failure = explained(context_.spec, peer, data, *failure);
    }
    // The next pair must not wait for what did not come now.
    listener_.forget();
    return false;
  }

  /// What earlier blocks measured stays a measurement.
  static void skip(PairData& data, const std::string& why) {
    if (data.one_way.bytes_per_s.empty()) data.skipped = "not measured: " + why;
  }

  void measure(int block, int round, int peer, PairData& data) {
    const std::string step =
        fmt::format("block {}, round {}, pair with rank {}", block + 1, round + 1, peer);
    context_.step(fmt::format("{} over {}", step, endpoint_.interface));
    const bool is_first = context_.spec.rank < peer;
    const transport::Peer end{.rank = peer,
                              .host = host(peer),
                              .interface = endpoint_.interface,
                              .step = std::make_shared<const std::string>(step)};
    PairLink link(connect(block, round, peer, end), end, base::from_seconds(context_.spec.stall_s),
                  until_);
    if (!data.path) find_path(block, round, peer, link, data);
    if (model::is_too_narrow(data.path->forward) || model::is_too_narrow(data.path->backward)) {
      link.shorten_stall(kNarrowStall);
    }
    const auto share = [&](double part) {
      return base::from_seconds(base::to_seconds(slice_) * part);
    };
    for (const bool turn : {true, false}) {
      const auto times = link.latencies(is_first == turn, kMostPings, share(kPingShare));
      if (times.empty()) continue;
      data.latency_p50_us.push_back(stats::median(times));
      data.latencies_us.insert(data.latencies_us.end(), times.begin(), times.end());
    }
    for (const bool turn : {true, false}) {
      const auto transfer = link.one_way(is_first == turn, share(kTransferShare));
      if (is_first == turn) data.one_way.add(transfer);
    }
    const auto before_both = link.stats();
    data.one_way.retransmits += before_both.retransmits;
    data.both.add(link.both_ways(share(kTransferShare)));
    const auto stats = link.stats();
    data.both.retransmits += stats.retransmits - before_both.retransmits;
    data.path_mtu = stats.path_mtu;
    data.congestion_control = transport::tcp::congestion_control(link.fd());
    data.last_block = block;
    count(peer, link);
  }

  /// Before anything large is sent, so that it is known when that stalls.
  void find_path(int block, int round, int peer, PairLink& link, PairData& data) {
    const PathEnds ends{.local = local_,
                        .remote = address_of(peer),
                        .token = token_,
                        .id = {.source = static_cast<std::uint32_t>(context_.spec.rank),
                               .purpose = tcp::Purpose::kPath,
                               .block = static_cast<std::uint32_t>(block),
                               .group = group_,
                               .channel = static_cast<std::uint32_t>(round)},
                        .device_mtu = endpoint_.mtu};
    data.path = probe_path(link, ends);
    stray_datagrams_ += data.path->strays;
  }

  /// Throws Error(kPeer) when the peer named none.
  [[nodiscard]] tcp::SocketAddress address_of(int peer) const {
    const auto remote = tcp::SocketAddress::parse(addresses_.at(static_cast<std::size_t>(peer)),
                                                  static_cast<std::uint32_t>(endpoint_.index));
    if (!remote) throw Error(ErrorKind::kPeer, "a peer sent something that is no address");
    return *remote;
  }

  base::FileDescriptor connect(int block, int round, int peer, const transport::Peer& end) {
    const bool is_first = context_.spec.rank < peer;
    const tcp::ConnectionId id{
        .source = static_cast<std::uint32_t>(std::min(context_.spec.rank, peer)),
        .purpose = tcp::Purpose::kPair,
        .block = static_cast<std::uint32_t>(block),
        .group = group_,
        .channel = static_cast<std::uint32_t>(round)};
    tcp::Dialer dialer(token_, tcp::SocketOptions{});
    std::map<tcp::ConnectionId, transport::Peer> expected;
    std::vector<tcp::Listener*> listeners{&listener_};
    if (is_first) {
      dialer.dial(id, local_, address_of(peer), end);
    } else {
      listener_.expect(id);
      expected.emplace(id, end);
    }
    tcp::establish(listeners, dialer, expected,
                   base::Deadline::earlier(
                       until_, base::Deadline::after(base::from_seconds(context_.spec.stall_s))));
    auto made = is_first ? dialer.take() : listener_.take();
    return std::move(made.at(id));
  }

  void count(int peer, const PairLink& link) {
    if (host(peer) == host(context_.spec.rank)) {
      payload_.within_host += link.bytes_sent();
    } else {
      payload_.sent_to_other_hosts += link.bytes_sent();
      payload_.received_from_other_hosts += link.bytes_received();
    }
  }

  [[nodiscard]] const std::string& host(int rank) const {
    return context_.spec.hosts.at(static_cast<std::size_t>(rank));
  }

  StageContext& context_;
  Endpoint endpoint_;
  std::uint32_t group_;
  tcp::Token token_;
  tcp::SocketAddress local_;
  base::Deadline until_;  ///< of the pairs
  tcp::Listener listener_;
  std::vector<std::string> addresses_;  ///< by rank
  bool is_one_host_ = false;
  plan::Rounds rounds_;
  base::Nanoseconds slice_{};
  std::map<int, PairData> pairs_;                 ///< by peer
  std::map<int, std::set<int>> failed_partners_;  ///< by rank; the same on all ranks
  bool have_pairs_failed_ = false;                ///< the same on all ranks
  std::map<int, std::string> lost_;               ///< by rank, why; the same on all ranks
  Payload payload_;
  std::uint64_t stray_datagrams_ = 0;
};

model::Result PairStage::result(model::StageReport& report) {
  model::Result result;
  const auto& spec = context_.spec;
  for (std::size_t round = 0; round < rounds_.size(); ++round) {
    for (const auto& [first, second] : rounds_[round]) {
      if (first != spec.rank && second != spec.rank) continue;
      auto& data = pairs_[first == spec.rank ? second : first];
      data.round = static_cast<int>(round);
      if (!data.failure && data.skipped.empty()) skip(data, "the stage ended before its turn");
    }
  }
  result.probe = spec.probe;
  result.mode = spec.mode;
  result.interface = endpoint_.interface;
  result.transport = "tcp";
  result.family = endpoint_.family;
  result.ranks = spec.ranks;
  result.nodes =
      static_cast<int>(std::set<std::string>(spec.hosts.begin(), spec.hosts.end()).size());
  result.sockets = 1;
  result.stray_connections = listener_.strays() + stray_datagrams_;
  result.seed = spec.seed;
  for (const auto& [peer, data] : pairs_) {
    for (const bool is_both : {false, true}) {
      result.pairs.push_back(row_of(spec, endpoint_.interface, peer, data, is_both));
    }
    if (!data.failure) continue;
    result.status = model::Status::kFailed;
    result.reason = data.failure->text;
    report.problems.push_back(problem_of(spec, *data.failure));
  }
  return result;
}

}  // namespace

void run_tcp_pairs(StageContext& context, model::StageReport& report) {
  if (context.spec.ranks < 2) {
    throw Error(ErrorKind::kUnavailable, "one rank has no other to pair with");
  }
  const auto targets = resolve_targets(context.spec);
  // Ranks may have different numbers of interfaces: the pairs use those that all have.
  std::vector<Endpoint> endpoints;
  for (const auto& target : targets) {
    endpoints.insert(endpoints.end(), target.endpoints.begin(), target.endpoints.end());
  }
  const auto fewest = static_cast<std::size_t>(
      -context.comm.max(-static_cast<double>(endpoints.size()), context.deadline));
  endpoints.resize(std::min(fewest, endpoints.size()));
  const StageGuard guard(context, targets);
  const auto span = base::from_seconds(context.spec.budget_s / static_cast<double>(fewest));
  std::map<std::string, Payload> payload;
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    context.step(fmt::format("exchange addresses for {}", endpoints[i].interface));
    PairStage stage(context, endpoints[i], static_cast<std::uint32_t>(i));
    keep_after([&] { stage.run(span); }, [&] { report.results.push_back(stage.result(report)); });
    payload[endpoints[i].interface] = stage.payload();
  }
  guard.finish(report, payload);
}

}  // namespace ringwise::probe
