#include "probe/ring_measure.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "plan/blocks.h"
#include "probe/run_one.h"
#include "probe/verify.h"
#include "stats/percentile.h"

namespace ringwise::probe {
namespace {

constexpr std::array kVariants = {RingVariant::kReduce, RingVariant::kWire};
/// No block begins that would end in this last share of the stage's time, taking so many times
/// what is known.
constexpr double kReserve = 0.15;
constexpr double kSlower = 1.3;
/// A block may have found a busy machine idle; the next one is planned with at least this share of
/// what was known before it.
constexpr double kRemembered = 0.5;

double cpu_seconds() {
  rusage usage{};
  base::check_rc(getrusage(RUSAGE_SELF, &usage), "getrusage");
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Operations that give a first idea of the time.
int trial_operations(std::size_t bytes) {
  if (bytes < (std::size_t{64} << 10)) return 20;
  return bytes < (std::size_t{1} << 20) ? 5 : 1;
}

}  // namespace

RingMeasure::RingMeasure(StageContext& context, RingPlace place, std::shared_ptr<std::string> step)
    : context_(context),
      place_(place),
      step_(std::move(step)),
      start_(base::Clock::now()),
      source_(memory::allocate_host(kGatherBytes)) {}

void RingMeasure::run(const std::vector<RingCase>& cases, model::StageReport& report) {
  report_ = &report;
  add_results(cases, report);
  for (std::size_t i = 0; i < cases.size(); ++i) calibrate(cases[i], i, cases.size() - i);
  int block = 0;
  while (block < context_.spec.blocks && measure_block(block, cases)) ++block;
}

void RingMeasure::add_results(const std::vector<RingCase>& cases, model::StageReport& report) {
  const StageSpec& spec = context_.spec;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const std::size_t first = report.results.size();
    for (const auto variant : kVariants) {
      model::Result result = cases[c].result;
      result.variant = to_text(variant);
      for (const auto bytes : spec.sizes) {
        model::SizeResult size;
        size.bytes = std::max<std::uint64_t>(bytes / sizeof(float), 1) * sizeof(float);
        result.sizes.push_back(size);
      }
      report.results.push_back(std::move(result));
    }
    for (std::size_t s = 0; s < spec.sizes.size(); ++s) {
      for (std::size_t v = 0; v < kVariants.size(); ++v) {
        Item item;
        item.case_index = c;
        item.variant = kVariants[v];
        item.result_index = first + v;
        item.size_index = s;
        item.elements = report.results[first].sizes[s].bytes / sizeof(float);
        items_.push_back(std::move(item));
      }
    }
  }
}

std::optional<Ring> RingMeasure::make_ring(const RingCase& of, std::uint32_t block) {
  const auto patience = base::from_seconds(context_.spec.stall_s);
  auto links = of.connect(
      block, base::Deadline::earlier(context_.deadline, base::Deadline::after(patience)));
  if (is_alone()) return std::nullopt;
  return Ring(place_.rank, place_.ranks, std::move(links), patience);
}

void RingMeasure::report_wrong(const RingCase& of, std::size_t case_index) {
  WrongData mine;
  for (const auto& item : items_) {
    if (item.case_index != case_index || size_of(item).wrong.value_or(0) == 0) continue;
    mine.elements += *size_of(item).wrong;
    mine.pieces.insert(item.wrong_pieces.begin(), item.wrong_pieces.end());
    if (mine.first_size.empty()) {
      mine.first_size = base::format_bytes(item.elements * sizeof(float));
    }
  }
  if (!of.channel_interfaces.empty()) mine.interface = of.channel_interfaces.front();
  const auto all = context_.comm.gather_all(to_words(mine), context_.deadline);
  // A ring inside a host has its own ranks; there everyone speaks.
  const bool is_whole_run = place_.ranks == context_.spec.ranks;
  if (const auto failure = place_of_wrong(mine, all, is_whole_run)) {
    report_->problems.push_back(problem_of(context_.spec, *failure));
  }
}

void RingMeasure::prepare(Ring& ring, const Item& item) {
  const std::size_t bytes = item.elements * sizeof(float);
  if (result_.size() < bytes) {
    result_ = {};
    result_ = memory::allocate_host(bytes);
  }
  ring.prepare(source_of(item), result_.floats().first(item.elements), item.variant);
}

// As training does it, the sums replace the gradients: half the memory goes through the caches.
std::span<float> RingMeasure::source_of(const Item& item) {
  const bool is_apart = is_gathered(item.elements, place_.ranks);
  return (is_apart ? source_ : result_).floats().first(item.elements);
}

double RingMeasure::verify(Ring& ring, const RingCase& of, Item& item) {
  const StageSpec& spec = context_.spec;
  prepare(ring, item);
  const PayloadKey key{spec.seed,
                       static_cast<std::uint32_t>(item.result_index * 64 + item.size_index)};
  const auto source = source_of(item);
  const auto result = result_.floats().first(item.elements);
  std::ranges::fill(result, -1.0F);
  fill_payload(source, place_.rank, key);
  if (spec.corrupt == fmt::format("rank:{}", spec.rank) && !ring.first_sent().empty()) {
    const auto at = ring.first_sent().data() - std::as_bytes(source).data() + 3;
    std::as_writable_bytes(source)[static_cast<std::size_t>(at)] ^= std::byte{0x40};
  }
  ring.run(context_.deadline);
  std::uint64_t wrong = 0;
  if (item.variant == RingVariant::kReduce) {
    wrong = count_wrong_sums(result, place_.ranks, key);
  } else {
    for (const auto& piece : ring.wire_pieces()) {
      const auto here =
          count_wrong_copies(result.subspan(piece.at, piece.elements), piece.at, piece.owner, key);
      if (here > 0) item.wrong_pieces.insert({piece.owner, ring.wire_sender(), ring.is_on_arms()});
      wrong += here;
    }
  }
  size_of(item).verified = true;
  size_of(item).wrong = wrong;
  // Zeros from now on, so that sums in place stay what they are.
  std::ranges::fill(source, 0.0F);
  std::ranges::fill(result, 0.0F);
  for (int channel = 0; channel < ring.channels_used(); ++channel) {
    item.load.sent_bytes += ring.sent_bytes(channel);
  }
  const int operations = trial_operations(item.elements * sizeof(float));
  const double op_s = time_operations(ring, item, operations);
  count_payload(ring, of, static_cast<std::uint64_t>(operations) + 2);
  return op_s;
}

double RingMeasure::time_operations(Ring& ring, const Item& item, int operations) {
  prepare(ring, item);
  ring.run(context_.deadline);
  const auto begin = base::Clock::now();
  for (int i = 0; i < operations; ++i) ring.run(context_.deadline);
  return base::to_seconds(base::Clock::now() - begin) / operations;
}

bool RingMeasure::measure_block(int block, const std::vector<RingCase>& cases) {
  const StageSpec& spec = context_.spec;
  std::vector<double> numbers;
  numbers.reserve(items_.size() + 1);
  for (const auto& item : items_) numbers.push_back(item.load.op_s);
  numbers.push_back(spec.timeout_s - base::to_seconds(context_.deadline.left()));
  const auto agreed = agree(std::move(numbers));
  std::vector<RingLoad> loads;
  double least_s = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    items_[i].load.op_s = agreed[i + 1];
    loads.push_back(items_[i].load);
    // Messages of one size are as long everywhere, but shares of it need not be.
    loads.back().sent_bytes = items_[i].elements * sizeof(float);
    loads.back().series = items_[i].result_index;
  }
  raise_to_smaller(loads);
  for (const auto& load : loads) least_s += least_seconds(load, 1);
  const double stage_left_s = (1 - kReserve) * spec.timeout_s - agreed.back();
  if (block > 0 && least_s * kSlower > stage_left_s) {
    say(fmt::format("the stage's time ends after {} of {} blocks", block, spec.blocks));
    return false;
  }
  const auto plan = plan_iterations(loads, spec.blocks - block, spec.budget_s - agreed[0]);
  const int number = spec.first_block + block;
  for (const auto c : plan::block_order(cases.size(), number, spec.seed)) {
    measure_case(number, c, cases[c], plan);
  }
  return true;
}

void RingMeasure::measure_case(int block, std::size_t case_index, const RingCase& of,
                               std::span<const RingIterations> plan) {
  const std::string name =
      fmt::format("block {}{}", block + 1, of.label.empty() ? "" : ", " + of.label);
  say(name + ", connect");
  const std::uint64_t strays_before = of.strays ? of.strays() : 0;
  auto ring = make_ring(of, static_cast<std::uint32_t>(block) + 1);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].case_index == case_index && items_[i].load.op_s > 0) order.push_back(i);
  }
  std::mt19937_64 random(context_.spec.seed + 1000003U * static_cast<std::uint64_t>(block) +
                         case_index);
  plan::shuffle(std::span(order), random);
  for (const auto i : order) {
    Item& item = items_[i];
    say(fmt::format("{}, {}, {}", name, base::format_bytes(item.elements * sizeof(float)),
                    to_text(item.variant)));
    if (ring) measure_item(*ring, of, item, plan[i]);
    ++items_done_;
  }
  if (of.strays) add_strays(case_index, of.strays() - strays_before);
}

void RingMeasure::measure_item(Ring& ring, const RingCase& of, Item& item,
                               const RingIterations& iterations) {
  prepare(ring, item);
  const auto timed = static_cast<std::size_t>(iterations.timed);
  const double cpu_before_s = cpu_seconds();
  std::vector<double> times_us(timed);
  const int settle = iterations.settle;
  auto before = base::Clock::now();
  for (int i = 0; i < settle + iterations.timed; ++i) {
    ring.run(context_.deadline);
    const auto now = base::Clock::now();
    if (i >= settle) {
      times_us[static_cast<std::size_t>(i - settle)] = 1e6 * base::to_seconds(now - before);
    }
    before = now;
    // Operations that each succeed never wait, and only waits look at the deadline.
    if (now >= context_.deadline.at()) {
      throw Error(
          ErrorKind::kTimeout,
          fmt::format("the stage's time is over after {} of {} operations of {}: they take longer "
                      "than at first",
                      i + 1, settle + iterations.timed,
                      base::format_bytes(item.elements * sizeof(float))));
    }
  }
  const double median_us = stats::median(times_us);
  // What a block of it costs, with the operations that had to wait.
  const double sum_us = std::accumulate(times_us.begin(), times_us.end(), 0.0);
  const double cost_s = 1e-6 * std::max(median_us, sum_us / static_cast<double>(timed));
  item.load.op_s = std::max(cost_s, kRemembered * item.load.op_s);
  model::SizeResult& size = size_of(item);
  size.block_medians_us.push_back(median_us);
  size.blocks = size.block_medians_us.size();
  size.samples += timed;
  item.samples_us.push_back(std::move(times_us));
  size.time_us_p50 = stats::median(size.block_medians_us);
  size.time_us_p99 = stats::percentile_of_blocks(item.samples_us, 99);
  model::Result& result = result_of(item);
  result.cpu_seconds = result.cpu_seconds.value_or(0) + cpu_seconds() - cpu_before_s;
  count_payload(ring, of, static_cast<std::uint64_t>(iterations.settle) + timed);
}

std::vector<double> RingMeasure::agree(std::vector<double> mine) {
  mine.insert(mine.begin(), elapsed_s());
  std::vector<std::string> texts;
  texts.reserve(mine.size());
  for (const double number : mine) texts.push_back(fmt::format("{}", number));
  const auto all = context_.comm.gather_all(base::join(texts, " "), context_.deadline);
  for (const auto& text : all) {
    const auto parts = base::split(text, ' ');
    if (parts.size() != mine.size()) {
      throw Error(ErrorKind::kPeer, "the ranks disagree on what they measure");
    }
    for (std::size_t i = 0; i < mine.size(); ++i) {
      double number = 0;
      std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), number);
      mine[i] = std::max(mine[i], number);
    }
  }
  return mine;
}

void RingMeasure::count_payload(const Ring& ring, const RingCase& of, std::uint64_t operations) {
  for (std::size_t c = 0; c < of.channel_interfaces.size(); ++c) {
    const auto& name = of.channel_interfaces[c];
    sent_[name] += operations * ring.sent_bytes(static_cast<int>(c));
    received_[name] += operations * ring.received_bytes(static_cast<int>(c));
  }
}

void RingMeasure::add_strays(std::size_t case_index, std::uint64_t strays) {
  for (const auto& item : items_) {
    if (item.case_index != case_index) continue;
    auto& count = result_of(item).stray_connections;
    count = count.value_or(0) + strays;
    return;
  }
}

void RingMeasure::say(const std::string& text) {
  *step_ = text;
  context_.step(text);
  const double total = static_cast<double>(items_.size()) * context_.spec.blocks;
  context_.progress(total > 0 ? static_cast<double>(items_done_) / total : 0, text);
}

model::Result& RingMeasure::result_of(const Item& item) {
  return report_->results[item.result_index];
}

model::SizeResult& RingMeasure::size_of(const Item& item) {
  return result_of(item).sizes[item.size_index];
}

double RingMeasure::elapsed_s() const {
  return base::to_seconds(base::Clock::now() - start_);
}

}  // namespace ringwise::probe
