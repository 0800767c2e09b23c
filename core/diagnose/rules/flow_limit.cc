// too-few-streams: something limits each TCP flow, or one stream is bound by a CPU.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/units.h"
#include "diagnose/rules/rows.h"

namespace ringwise::diagnose {
namespace {

constexpr std::uint64_t kLarge = std::uint64_t{4} << 20;
/// A ring is bounded by its slowest path: clearly above one stream of the slowest pair it can be
/// only because it uses several.
constexpr double kClearly = 1.4;

const model::SizeResult* largest(const model::Result& result) {
  const model::SizeResult* found = nullptr;
  for (const auto& size : result.sizes) {
    if (size.bytes >= kLarge && size.busbw_gbyte_per_s) found = &size;
  }
  return found;
}

struct Best {
  const model::Result* result = nullptr;
  const model::SizeResult* size = nullptr;
  std::size_t index = 0;
};

int streams(const model::Result& result) {
  const int each = std::max(1, result.threads.value_or(0) * result.sockets.value_or(1));
  return result.channels.value_or(1) * each;
}

/// The fastest wire result of the run, of the smallest number of streams that is not clearly
/// slower.
Best best_of(const model::RunRecord& record) {
  Best best;
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    const auto& result = record.results[i];
    if (result.probe != "tcp-allreduce" || result.variant != "wire" || result.nodes < 2 ||
        result.status != model::Status::kOk) {
      continue;
    }
    const auto* size = largest(result);
    if (size == nullptr) continue;
    const bool is_faster =
        best.size == nullptr || *size->busbw_gbyte_per_s > 1.03 * *best.size->busbw_gbyte_per_s;
    const bool is_smaller = best.size != nullptr && streams(result) < streams(*best.result) &&
                            *size->busbw_gbyte_per_s * 1.03 > *best.size->busbw_gbyte_per_s;
    if (is_faster || is_smaller) best = {&result, size, i};
  }
  return best;
}

}  // namespace

void find_flow_limits(const InputRun& run, model::Diagnosis& diagnosis) {
  std::optional<PairPlace> slowest;
  for (const auto& place : one_way_pairs(*run.record)) {
    if (!place.pair->gbit_per_s || place.pair->status != model::Status::kOk) continue;
    if (!slowest || *place.pair->gbit_per_s < *slowest->pair->gbit_per_s) slowest = place;
  }
  const auto best = best_of(*run.record);
  if (!slowest || best.size == nullptr) return;
  const double one = slowest->pair->high.value_or(*slowest->pair->gbit_per_s);
  const double ring = 8 * best.size->low.value_or(*best.size->busbw_gbyte_per_s);
  if (ring < kClearly * one) return;
  auto finding =
      finding_of("too-few-streams", model::Severity::kWarning,
                 fmt::format("one TCP stream carries {:.3g} Gbit/s from {} to {}, {} carry {:.3g}",
                             *slowest->pair->gbit_per_s, host_of(*run.record, slowest->pair->src),
                             host_of(*run.record, slowest->pair->dst), streams(*best.result),
                             8 * *best.size->busbw_gbyte_per_s));
  finding.evidence = {
      {.file = run.source,
       .text =
           fmt::format("{}: one stream {:.3g} Gbit/s", slowest->key, *slowest->pair->gbit_per_s)},
      {.file = run.source,
       .text = fmt::format("results[{}], {}: {:.3g} GB/s with {} streams a direction", best.index,
                           base::format_bytes(best.size->bytes), *best.size->busbw_gbyte_per_s,
                           streams(*best.result))}};
  if (best.result->threads.value_or(0) > 0) {
    finding.settings = {{.name = "NCCL_SOCKET_NTHREADS",
                         .value = fmt::format("{}", *best.result->threads),
                         .where = "env"},
                        {.name = "NCCL_NSOCKS_PERTHREAD",
                         .value = fmt::format("{}", best.result->sockets.value_or(1)),
                         .where = "env"}};
  } else {
    finding.settings = {{.name = "NCCL_SOCKET_NTHREADS", .value = "4", .where = "env"},
                        {.name = "NCCL_NSOCKS_PERTHREAD", .value = "4", .where = "env"}};
  }
  finding.why =
      "A limit for each flow (cloud networks have one), or a CPU that one stream keeps "
      "busy. ringwise-probe --threads 0,1,2,4 --sockets 1,2,4 finds how many fill the "
      "path, and ringwise recommend the smallest setting that does.";
  finding.confidence = 0.85;
  diagnosis.findings.push_back(std::move(finding));
}

}  // namespace ringwise::diagnose
