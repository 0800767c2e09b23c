#include "probe/shm_allreduce.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/error.h"
#include "plan/nccl_sockets.h"
#include "probe/ring_measure.h"
#include "probe/targets.h"
#include "transport/registry.h"
#include "transport/shm/ring_links.h"
#include "transport/shm/segment.h"

namespace ringwise::probe {
namespace {

/// FNV-1a of the token, from which the token does not follow. source: RFC draft
/// draft-eastlake-fnv, 64-bit parameters
std::uint64_t run_id(std::string_view token) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : token) {
    hash = (hash ^ static_cast<std::uint64_t>(static_cast<unsigned char>(c))) * 0x100000001b3U;
  }
  return hash;
}

std::size_t largest_host(const std::vector<std::string>& hosts) {
  std::size_t most = 0;
  for (const auto& host : hosts) {
    most = std::max(most, static_cast<std::size_t>(std::count(hosts.begin(), hosts.end(), host)));
  }
  return most;
}

/// Collective: where one rank cannot, none does, and all say why.
void throw_where_unusable(StageContext& context) {
  const auto here = transport::find_transport("shm")->available();
  const auto reasons =
      context.comm.gather_all(here.usable ? std::string() : here.reason, context.deadline);
  for (std::size_t rank = 0; rank < reasons.size(); ++rank) {
    if (reasons[rank].empty()) continue;
    throw Error(ErrorKind::kUnavailable,
                fmt::format("rank {} on {}: {}", rank, context.spec.hosts[rank], reasons[rank]));
  }
}

}  // namespace

void run_shm_allreduce(StageContext& context, model::StageReport& report) {
  const StageSpec& spec = context.spec;
  const std::size_t most = largest_host(spec.hosts);
  if (most < 2) throw Error(ErrorKind::kUnavailable, "no host has two ranks");
  throw_where_unusable(context);
  const auto local = transport::shm::ranks_of_host(spec.hosts, spec.rank);
  const auto at = std::find(local.begin(), local.end(), spec.rank) - local.begin();

  auto channels = spec.channels;
  // NCCL gives a ring inside a node at least as many channels as the network needs.
  if (channels.empty()) channels.push_back(plan::channel_plan(1, socket_environment()).channels);
  const auto step = std::make_shared<std::string>("connect");
  std::vector<RingCase> cases;
  for (const int count : channels) {
    RingCase next;
    next.result.probe = spec.probe;
    next.result.mode = spec.mode;
    next.result.transport = "shm";
    next.result.collective = "allreduce";
    next.result.dtype = "float32";
    next.result.op = "sum";
    next.result.ranks = static_cast<int>(most);
    next.result.nodes = 1;
    next.result.channels = count;
    next.result.settings_name = spec.settings_name;
    next.result.settings = spec.settings;
    next.result.seed = spec.seed;
    if (channels.size() > 1) next.label = fmt::format("{} channels", count);
    transport::shm::RingOptions options{spec.hosts, run_id(spec.token), count, 0, step};
    next.connect = [&context, options](std::uint32_t block, base::Deadline deadline) {
      auto of_block = options;
      of_block.block = block;
      return transport::shm::connect_ring(context.comm, of_block, deadline);
    };
    cases.push_back(std::move(next));
  }
  RingMeasure measure(context, {static_cast<int>(at), static_cast<int>(local.size())}, step);
  measure.run(cases, report);
}

void remove_shared_memory(std::string_view token) {
  transport::shm::remove_run(run_id(token));
}

}  // namespace ringwise::probe
