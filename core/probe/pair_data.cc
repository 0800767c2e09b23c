#include "probe/pair_data.h"

#include <utility>

#include <fmt/format.h>

#include "stats/interval.h"
#include "stats/percentile.h"

namespace ringwise::probe {
namespace {

std::optional<double> median_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(stats::median(values));
}

void add_rates(const TransferData& transfers, model::PairResult& row) {
  const auto& rates = transfers.bytes_per_s;
  if (rates.empty()) return;
  constexpr double kGbit = 8e-9;
  row.gbit_per_s = stats::median(rates) * kGbit;
  if (const auto interval = stats::median_interval(rates)) {
    row.low = interval->low * kGbit;
    row.high = interval->high * kGbit;
  }
  row.payload_bytes = transfers.payload_bytes;
  row.retransmits = transfers.retransmits;
}

/// The signs of a transfer in which nothing moved any more.
bool is_stall(const Failure& failure) {
  const auto& sign = failure.place.sign;
  return sign == "unacknowledged" || sign == "slow" || sign == "silent" || sign == "closed";
}

std::string in_words(const StageSpec& spec, const model::PathMtu& path, int src, int dst) {
  const auto named = [&](int rank) {
    return fmt::format("rank {} ({})", rank, spec.hosts.at(static_cast<std::size_t>(rank)));
  };
  return fmt::format(
      "packets above {} bytes do not arrive (the kernel sends up to {}): mtu, {} to {}",
      *path.forward_mtu, *path.route_mtu, named(src), named(dst));
}

}  // namespace

void TransferData::add(const Transfer& transfer) {
  bytes_per_s.push_back(transfer.bytes_per_s);
  payload_bytes += transfer.payload_bytes;
  if (transfer.payload_bytes == 0) return;
  const double gbytes = static_cast<double>(transfer.payload_bytes) / 1e9;
  cpu_s_per_gbyte_src.push_back(transfer.sender_cpu_s / gbytes);
  cpu_s_per_gbyte_dst.push_back(transfer.receiver_cpu_s / gbytes);
}

model::PairResult row_of(const StageSpec& spec, const std::string& interface, int peer,
                         const PairData& data, bool is_both) {
  model::PairResult row;
  row.src = spec.rank;
  row.dst = peer;
  row.direction = is_both ? "both" : "one-way";
  row.bytes = kPairChunk;
  row.round = data.round;
  row.block = data.last_block;
  row.device = interface;
  if (!data.skipped.empty()) {
    row.status = model::Status::kSkipped;
    row.reason = data.skipped;
  }
  if (data.failure) {
    row.status = model::Status::kFailed;
    row.reason = data.failure->text;
  }
  add_rates(is_both ? data.both : data.one_way, row);
  if (is_both) return row;
  if (data.path) row.path = data.path->forward;
  if (!data.latency_p50_us.empty()) {
    row.latency_us_p50 = stats::median(data.latency_p50_us);
    row.latency_us_p99 = stats::percentile(data.latencies_us, 99);
  }
  if (data.one_way.bytes_per_s.empty()) return row;
  row.path_mtu = data.path_mtu;
  row.congestion_control = data.congestion_control;
  row.cpu_s_per_gbyte_src = median_of(data.one_way.cpu_s_per_gbyte_src);
  row.cpu_s_per_gbyte_dst = median_of(data.one_way.cpu_s_per_gbyte_dst);
  return row;
}

Failure explained(const StageSpec& spec, int peer, const PairData& data, Failure failure) {
  if (!data.path || !is_stall(failure)) return failure;
  std::string why;
  if (model::is_too_narrow(data.path->forward)) {
    why = in_words(spec, data.path->forward, spec.rank, peer);
  } else if (model::is_too_narrow(data.path->backward)) {
    why = in_words(spec, data.path->backward, peer, spec.rank);
  } else {
    return failure;
  }
  failure.text = why + "; " + failure.text;
  failure.place.sign = "mtu";
  return failure;
}

}  // namespace ringwise::probe
