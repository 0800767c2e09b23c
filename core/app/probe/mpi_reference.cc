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

/// One block of one size; appends to `size`.
void run_block(comm::ControlPlane& plane, const std::function<void()>& on_timeout,
               base::Deadline deadline, int iterations, model::SizeResult& size) {
  comm::AllreduceRun run{.bytes = size.bytes,
                         .warmups = 1,
                         .iterations = iterations,
                         .deadline = deadline,
                         .on_timeout = on_timeout};
  const auto times = plane.time_allreduce(run);
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

/// Iterations that every rank agrees on, so that a block of this size takes its share of the time:
/// rank 0 times one and tells.
int agree_on_iterations(comm::ControlPlane& plane, const std::function<void()>& on_timeout,
                        base::Deadline deadline, std::uint64_t bytes, const Share& share) {
  const comm::AllreduceRun trial{.bytes = bytes,
                                 .warmups = 1,
                                 .iterations = 1,
                                 .deadline = deadline,
                                 .on_timeout = on_timeout};
  const auto us = plane.time_allreduce(trial).us;
  const double one_us = std::max(1.0, us.front());
  int mine = std::clamp(static_cast<int>(share.block_s * 1e6 / one_us), 1, kMostIterations);
  // One iteration and one warm-up in each block have to fit into what is left.
  if (2 * share.blocks * one_us > 1e6 * kShareOfTimeout * base::to_seconds(deadline.left()))
    mine = 0;
  plane.gather("", deadline);
  return std::atoi(plane.broadcast(std::to_string(mine), deadline).c_str());
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
  for (const auto bytes : options.sizes) {
    model::SizeResult size;
    size.bytes = std::max<std::uint64_t>(4, bytes / 4 * 4);
    const int iterations = agree_on_iterations(plane, on_timeout, deadline, size.bytes,
                                               Share{block_s, options.blocks});
    if (iterations == 0) {
      size.reason = "does not fit into the time budget";
    }
    for (int block = 0; block < options.blocks && iterations > 0; ++block) {
      run_block(plane, on_timeout, deadline, iterations, size);
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
