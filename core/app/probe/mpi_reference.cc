#include "app/probe/mpi_reference.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/units.h"
#include "comm/relay.h"
#include "model/json.h"
#include "plan/cidr.h"
#include "probe/merge.h"
#include "stats/percentile.h"

namespace ringwise::app {
namespace {

constexpr double kShareOfTimeout = 0.5;
constexpr int kMostIterations = 200;

/// The interfaces of `host` that a list of names and networks selects; those it does not know stay
/// as they are.
std::string interfaces_of(const std::string& list, const model::Host& host) {
  std::vector<std::string> names;
  for (const auto& part : base::split(list, ',')) {
    const auto network = plan::parse_cidr(part);
    std::vector<std::string> found;
    for (const auto& interface : host.interfaces) {
      const bool is_in = network && std::any_of(interface.addresses.begin(),
                                                interface.addresses.end(), [&](const auto& one) {
                                                  return plan::contains(*network, one.address);
                                                });
      if (is_in) found.push_back(interface.name);
    }
    if (found.empty()) found.push_back(part);
    names.insert(names.end(), found.begin(), found.end());
  }
  return base::join(names, ",");
}

/// Why it is not measured, empty = it is.
std::string reason_to_skip(const comm::ControlPlane& plane, const World& world,
                           const std::optional<std::string>& control,
                           const std::optional<std::string>& measured) {
  if (plane.description() == "none") return "started without a launcher: there is no MPI world";
  if (world.hosts.size() < 2) return "one rank has nobody to reduce with";
  if (world.nodes > 1 && control && measured && *control != *measured) {
    return fmt::format("MPI runs on the control interface {}, not on the measured {}", *control,
                       *measured);
  }
  return {};
}

model::Result head(const ProbeOptions& options, const World& world) {
  model::Result result;
  result.probe = kMpiAllreduce;
  result.mode = options.mode;
  result.transport = "mpi";
  result.collective = "allreduce";
  result.dtype = "float32";
  result.op = "sum";
  result.ranks = static_cast<int>(world.hosts.size());
  result.nodes = world.nodes;
  result.path_proof.reason = "the MPI library chooses its own path; its bytes are not counted";
  return result;
}

/// What every operation of the stage needs.
struct Reference {
  comm::ControlPlane& plane;
  const std::function<void()>& on_timeout;
  base::Deadline deadline;

  [[nodiscard]] comm::AllreduceTimes time(std::uint64_t bytes, int iterations) const {
    return plane.time_allreduce({.bytes = bytes,
                                 .warmups = 1,
                                 .iterations = iterations,
                                 .deadline = deadline,
                                 .on_timeout = on_timeout});
  }
  /// Rank 0's number, for every rank.
  [[nodiscard]] int agree(int mine) const {
    plane.gather("", deadline);
    return std::atoi(plane.broadcast(std::to_string(mine), deadline).c_str());
  }
  /// One iteration and one warm-up in each of `rounds`.
  [[nodiscard]] bool fits(double one_us, int rounds) const {
    return 2 * rounds * one_us <= 1e6 * kShareOfTimeout * base::to_seconds(deadline.left());
  }
};

/// One block of one size; appends to `size`.
void run_block(const Reference& reference, int iterations, model::SizeResult& size) {
  const auto times = reference.time(size.bytes, iterations);
  size.block_medians_us.push_back(stats::median(times.us));
  size.time_us_p99 = std::max(size.time_us_p99.value_or(0), stats::percentile(times.us, 99));
  size.samples += times.us.size();
  size.verified = true;
  size.wrong = size.wrong.value_or(0) + times.wrong;
}

struct Share {
  double block_s = 0;  ///< time that one block of one size aims at
  int blocks = 1;
};

/// Time of an operation as last known, at rank 0.
class Known {
 public:
  /// From the last size tried; 0 when there was none.
  [[nodiscard]] double predicted_us(std::uint64_t bytes) const {
    // Small sizes cost the same whatever they are.
    const auto from = std::max(bytes_, kByRate);
    return us_ * std::max(1.0, static_cast<double>(bytes) / static_cast<double>(from));
  }
  void learn(std::uint64_t bytes, double us) {
    bytes_ = bytes;
    us_ = us;
  }

 private:
  static constexpr std::uint64_t kByRate = 64 << 10;
  std::uint64_t bytes_ = 0;
  double us_ = 0;
};

/// Iterations that every rank agrees on, so that a block of this size takes its share of the time:
/// rank 0 times one and tells. 0 = it does not fit into what is left, which is tried only where a
/// smaller size lets hope for it.
int agree_on_iterations(const Reference& reference, std::uint64_t bytes, const Share& share,
                        Known& known) {
  const bool has_hope = reference.fits(known.predicted_us(bytes), share.blocks + 1);
  if (reference.agree(has_hope ? 1 : 0) == 0) return 0;
  const double one_us = std::max(1.0, reference.time(bytes, 1).us.front());
  known.learn(bytes, one_us);
  const int mine = std::clamp(static_cast<int>(share.block_s * 1e6 / one_us), 1, kMostIterations);
  return reference.agree(reference.fits(one_us, share.blocks) ? mine : 0);
}

}  // namespace

std::optional<std::string> control_interface(const model::Host& host) {
  const char* text = std::getenv("OMPI_MCA_btl_tcp_if_include");
  if (text == nullptr || *text == '\0') return std::nullopt;
  return interfaces_of(text, host);
}

model::Result run_mpi_reference(comm::ControlPlane& plane, const ProbeOptions& options,
                                const World& world, const std::function<void()>& on_timeout) {
  model::Result result = head(options, world);
  std::optional<std::string> measured;
  if (plane.rank() == 0 && !world.introductions.empty()) {
    const auto& mine = world.introductions.front();
    if (!mine.rank.interfaces.empty()) measured = base::join(mine.rank.interfaces, ",");
    result.interface = control_interface(mine.host);
  }
  const auto deadline = base::Deadline::after(options.stage_timeout);
  plane.gather("", deadline);
  const std::string skip = plane.broadcast(
      plane.rank() == 0 ? reason_to_skip(plane, world, result.interface, measured) : "", deadline);
  if (!skip.empty()) {
    result.status = model::Status::kSkipped;
    result.reason = skip;
    return result;
  }
  const double budget_s = kShareOfTimeout * std::min(base::to_seconds(options.stage_timeout),
                                                     base::to_seconds(options.time_budget) / 4);
  const double block_s = budget_s / static_cast<double>(options.sizes.size()) / options.blocks;
  const Reference reference{plane, on_timeout, deadline};
  Known known;
  for (const auto bytes : options.sizes) {
    model::SizeResult size;
    size.bytes = std::max<std::uint64_t>(4, bytes / 4 * 4);
    const int iterations =
        agree_on_iterations(reference, size.bytes, Share{block_s, options.blocks}, known);
    if (iterations == 0) size.reason = "does not fit into the time budget";
    for (int block = 0; block < options.blocks && iterations > 0; ++block) {
      run_block(reference, iterations, size);
    }
    result.sizes.push_back(std::move(size));
  }
  // The slowest rank counts, as for the other probes.
  model::StageReport mine;
  mine.results.push_back(result);
  const auto texts = plane.gather(model::to_json_line(mine), deadline);
  plane.broadcast("", deadline);
  if (plane.rank() != 0) return result;
  std::vector<std::optional<model::StageReport>> reports;
  reports.reserve(texts.size());
  for (const auto& text : texts) {
    reports.push_back(text ? std::optional(model::stage_report_from_json(*text)) : std::nullopt);
  }
  return probe::merge_results(reports).front();
}

}  // namespace ringwise::app
