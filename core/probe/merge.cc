#include "probe/merge.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/units.h"
#include "stats/interval.h"
#include "stats/percentile.h"

namespace ringwise::probe {
namespace {

using model::ProofState;
using model::Result;
using model::SizeResult;
using model::Status;

int badness(Status status) {
  return static_cast<int>(status);
}

/// Contradicted is worse than unavailable, which is worse than proved.
int badness(ProofState state) {
  switch (state) {
    case ProofState::kProved:
      return 0;
    case ProofState::kUnavailable:
      return 1;
    case ProofState::kContradicted:
      return 2;
  }
  return 2;
}

template <typename T>
void keep_largest(std::optional<T>& into, const std::optional<T>& from) {
  if (from && (!into || *from > *into)) into = from;
}

template <typename T>
void add(std::optional<T>& into, const std::optional<T>& from) {
  if (from) into = into.value_or(T{}) + *from;
}

void merge_size(SizeResult& into, const SizeResult& from) {
  into.verified = into.verified && from.verified;
  add(into.wrong, from.wrong);
  into.samples = std::min(into.samples, from.samples);
  keep_largest(into.time_us_p99, from.time_us_p99);
  // A block that one rank did not finish is no block.
  const auto blocks = std::min(into.block_medians_us.size(), from.block_medians_us.size());
  into.block_medians_us.resize(blocks);
  for (std::size_t i = 0; i < blocks; ++i) {
    into.block_medians_us[i] = std::max(into.block_medians_us[i], from.block_medians_us[i]);
  }
  if (!into.reason) into.reason = from.reason;
}

void merge_result(Result& into, const Result& from) {
  if (badness(from.status) > badness(into.status)) {
    into.status = from.status;
    into.reason = from.reason;
  }
  if (badness(from.path_proof.state) > badness(into.path_proof.state)) {
    into.path_proof = from.path_proof;
  }
  keep_largest(into.background_bytes_per_s, from.background_bytes_per_s);
  keep_largest(into.background_share, from.background_share);
  add(into.cpu_throttled_us, from.cpu_throttled_us);
  add(into.cpu_seconds, from.cpu_seconds);
  add(into.stray_connections, from.stray_connections);
  if (into.interface != from.interface && from.interface) {
    // Names may differ from node to node; all of them are named.
    const std::string known = into.interface.value_or("");
    if (known.find(*from.interface) == std::string::npos) {
      into.interface = known.empty() ? *from.interface : known + "|" + *from.interface;
    }
  }
  for (auto& size : into.sizes) {
    const auto same = std::find_if(from.sizes.begin(), from.sizes.end(),
                                   [&](const auto& other) { return other.bytes == size.bytes; });
    if (same != from.sizes.end()) {
      merge_size(size, *same);
    } else {
      size.block_medians_us.clear();
      size.samples = 0;
      size.verified = false;
      size.reason = "not every rank measured it";
    }
  }
  into.pairs.insert(into.pairs.end(), from.pairs.begin(), from.pairs.end());
}

/// Text of the failure that came first: a rank that has something of its own to say about a peer
/// or itself, not one that was stopped by another.
void fail_for_missing(Result& result, std::size_t reported, std::size_t ranks) {
  if (reported == ranks) return;
  result.status = Status::kFailed;
  if (!result.reason) {
    result.reason = fmt::format("only {} of {} ranks reported it", reported, ranks);
  }
}

/// Wrong data and bytes that took another path are no measurement of what was asked.
void fail_for_contradiction(Result& result) {
  if (result.status != Status::kOk) return;
  for (const auto& size : result.sizes) {
    if (!size.verified || size.wrong.value_or(0) == 0) continue;
    result.status = Status::kFailed;
    result.reason =
        fmt::format("{} wrong elements at {}", *size.wrong, base::format_bytes(size.bytes));
    return;
  }
  if (result.path_proof.state != ProofState::kContradicted) return;
  result.status = Status::kFailed;
  result.reason = "its bytes took another path: " + result.path_proof.reason;
}

void append_blocks(SizeResult& into, const SizeResult& from) {
  into.block_medians_us.insert(into.block_medians_us.end(), from.block_medians_us.begin(),
                               from.block_medians_us.end());
  into.samples += from.samples;
  into.verified = into.verified && from.verified;
  add(into.wrong, from.wrong);
  keep_largest(into.time_us_p99, from.time_us_p99);
  if (!into.reason) into.reason = from.reason;
}

void join_result(Result& into, const Result& from) {
  auto sizes = std::move(into.sizes);
  const auto interface = into.interface;
  into.sizes.clear();
  merge_result(into, from);
  into.interface = interface;
  for (auto& size : sizes) {
    const auto same = std::find_if(from.sizes.begin(), from.sizes.end(),
                                   [&](const auto& other) { return other.bytes == size.bytes; });
    if (same != from.sizes.end()) append_blocks(size, *same);
  }
  into.sizes = std::move(sizes);
}

}  // namespace

std::vector<Result> merge_results(std::span<const std::optional<model::StageReport>> by_rank) {
  std::vector<Result> merged;
  std::vector<std::size_t> reported;
  for (const auto& report : by_rank) {
    if (!report) continue;
    for (std::size_t i = 0; i < report->results.size(); ++i) {
      if (i < merged.size()) {
        merge_result(merged[i], report->results[i]);
        ++reported[i];
      } else {
        merged.push_back(report->results[i]);
        reported.push_back(1);
      }
    }
  }
  for (std::size_t i = 0; i < merged.size(); ++i) {
    fail_for_missing(merged[i], reported[i], by_rank.size());
    fail_for_contradiction(merged[i]);
    summarise(merged[i]);
  }
  return merged;
}

std::vector<Result> join_blocks(std::span<const std::vector<Result>> by_worker) {
  std::vector<Result> joined;
  for (const auto& results : by_worker) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (i < joined.size()) {
        join_result(joined[i], results[i]);
      } else {
        joined.push_back(results[i]);
      }
    }
  }
  for (auto& result : joined) summarise(result);
  return joined;
}

void summarise(Result& result) {
  const double factor = result.collective == "allreduce" && result.ranks > 0
                            ? 2.0 * (result.ranks - 1) / result.ranks
                            : 1.0;
  for (auto& size : result.sizes) {
    size.blocks = size.block_medians_us.size();
    size.time_us_p50.reset();
    size.algbw_gbyte_per_s.reset();
    size.busbw_gbyte_per_s.reset();
    size.low.reset();
    size.high.reset();
    if (size.block_medians_us.empty()) continue;
    const double us = stats::median(size.block_medians_us);
    size.time_us_p50 = us;
    if (!(us > 0)) continue;
    const auto bandwidth = [&](double time_us) {
      return static_cast<double>(size.bytes) / time_us / 1e3 * factor;
    };
    size.algbw_gbyte_per_s = static_cast<double>(size.bytes) / us / 1e3;
    size.busbw_gbyte_per_s = bandwidth(us);
    if (const auto interval = stats::median_interval(size.block_medians_us);
        interval && interval->low > 0) {
      size.low = bandwidth(interval->high);
      size.high = bandwidth(interval->low);
    }
  }
}

}  // namespace ringwise::probe
