#include "probe/memory_copy.h"

#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "memory/buffer.h"
#include "stats/percentile.h"

namespace ringwise::probe {
namespace {

constexpr std::uint64_t kSmallest = std::uint64_t{64} << 10;
constexpr std::uint64_t kLargest = std::uint64_t{16} << 20;
constexpr std::size_t kMostSamples = 2000;
constexpr std::size_t kFewestSamples = 3;
/// Another block needs so many times what the earlier ones took to be left of the stage's time.
constexpr double kReserve = 1.5;

/// Times of copies for about `span`, the first left out.
std::vector<double> copy_times_us(memory::Buffer& from, memory::Buffer& to, std::size_t bytes,
                                  base::Nanoseconds span) {
  std::vector<double> times;
  times.reserve(kMostSamples);
  std::memcpy(to.bytes().data(), from.bytes().data(), bytes);
  const auto deadline = base::Deadline::after(span);
  while (times.size() < kMostSamples && (times.size() < kFewestSamples || !deadline.has_passed())) {
    const auto start = base::Clock::now();
    std::memcpy(to.bytes().data(), from.bytes().data(), bytes);
    const std::chrono::duration<double, std::micro> took = base::Clock::now() - start;
    times.push_back(took.count());
  }
  return times;
}

std::uint64_t count_wrong(const memory::Buffer& from, const memory::Buffer& to, std::size_t bytes) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (from.bytes()[i] != to.bytes()[i]) ++wrong;
  }
  return wrong;
}

}  // namespace

void run_memory_copy(StageContext& context, model::StageReport& report) {
  const auto& spec = context.spec;
  model::Result result;
  result.probe = spec.probe;
  result.mode = spec.mode;
  result.transport = "memory";
  result.ranks = spec.ranks;
  result.nodes =
      static_cast<int>(std::set<std::string>(spec.hosts.begin(), spec.hosts.end()).size());
  result.path_proof.reason = "memory has no counters to prove a path with";
  auto from = memory::allocate_host(kLargest);
  auto to = memory::allocate_host(kLargest);
  for (std::size_t i = 0; i < from.size(); ++i) {
    from.bytes()[i] = static_cast<std::byte>((i * 131 + 7) & 0xFFU);
  }
  std::vector<std::uint64_t> sizes;
  for (auto bytes = kSmallest; bytes <= kLargest; bytes *= 16) sizes.push_back(bytes);
  for (const auto bytes : sizes) {
    model::SizeResult size;
    size.bytes = bytes;
    result.sizes.push_back(size);
  }
  const auto span = base::from_seconds(spec.budget_s / static_cast<double>(sizes.size()) /
                                       std::max(1, spec.blocks));
  const auto start = base::Clock::now();
  for (int block = 0; block < spec.blocks; ++block) {
    const double each_s = base::to_seconds(base::Clock::now() - start) / std::max(1, block);
    const bool fits = block == 0 || each_s * kReserve < base::to_seconds(context.deadline.left());
    // On a machine too busy for all blocks fewer are reported, without an interval.
    if (!context.comm.all_ok(fits, context.deadline)) break;
    for (auto& size : result.sizes) {
      context.step(fmt::format("block {}, {} bytes", block + 1, size.bytes));
      context.comm.barrier(context.deadline);
      const auto times = copy_times_us(from, to, size.bytes, span);
      size.block_medians_us.push_back(stats::median(times));
      size.samples += times.size();
      size.time_us_p99 = std::max(size.time_us_p99.value_or(0), stats::percentile(times, 99));
      if (!size.verified) {
        size.wrong = count_wrong(from, to, size.bytes);
        size.verified = true;
      }
    }
    context.progress(static_cast<double>(block + 1) / spec.blocks,
                     fmt::format("block {}", block + 1));
  }
  report.results.push_back(std::move(result));
}

}  // namespace ringwise::probe
