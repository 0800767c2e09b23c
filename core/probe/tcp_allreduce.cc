#include "probe/tcp_allreduce.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "plan/nccl_sockets.h"
#include "probe/guard.h"
#include "probe/ring_measure.h"
#include "probe/targets.h"
#include "transport/tcp/ring_links.h"

namespace ringwise::probe {
namespace {

namespace tcp = transport::tcp;

/// What was asked for; absent = as NCCL would.
struct AskedShape {
  std::optional<int> channels;
  std::optional<int> threads;
  std::optional<int> sockets;
};

std::vector<std::optional<int>> choices(const std::vector<int>& asked) {
  std::vector<std::optional<int>> all(asked.begin(), asked.end());
  if (all.empty()) all.emplace_back();
  return all;
}

/// Every combination, but without helper threads the number of sockets changes nothing.
std::vector<AskedShape> asked_shapes(const StageSpec& spec) {
  std::vector<AskedShape> shapes;
  for (const auto& channels : choices(spec.channels)) {
    for (const auto& threads : choices(spec.threads)) {
      for (const auto& sockets : choices(spec.sockets)) {
        shapes.push_back({channels, threads, sockets});
        if (threads == 0) break;
      }
    }
  }
  return shapes;
}

tcp::SocketCount socket_count(const Endpoint& endpoint, const AskedShape& asked) {
  const auto base = plan::socket_plan(endpoint.pci_vendor, socket_environment());
  if (!asked.threads && !asked.sockets) return {base.threads, base.sockets_per_thread};
  // source: NCCL 2.30.7 net_socket.cc, ncclNetSocketGetNsockNthread: the number of threads alone
  // gives one socket each; the number of sockets alone keeps the threads.
  const auto chosen =
      plan::with_threads(base, asked.threads.value_or(base.threads), asked.sockets.value_or(1));
  return {chosen.threads, chosen.sockets_per_thread};
}

/// NCCL too runs with the fewest channels that any rank found.
int agree_channels(StageContext& context, int mine) {
  return static_cast<int>(-context.comm.max(-mine, context.deadline));
}

tcp::RingOptions ring_options(const StageSpec& spec, const Target& target,
                              const std::shared_ptr<std::string>& step) {
  tcp::RingOptions options;
  options.hosts = spec.hosts;
  options.token = tcp::parse_token(spec.token);
  options.step = step;
  const auto environment = socket_environment();
  options.sockets.send_buffer =
      static_cast<int>(plan::nccl_integer(environment, "NCCL_SOCKET_SNDBUF", -1).value);
  options.sockets.receive_buffer =
      static_cast<int>(plan::nccl_integer(environment, "NCCL_SOCKET_RCVBUF", -1).value);
  for (const auto& endpoint : target.endpoints) {
    const auto scope = static_cast<std::uint32_t>(endpoint.index);
    const auto address = tcp::SocketAddress::make(endpoint.address, 0, scope);
    if (!address) {
      throw Error(ErrorKind::kInternal,
                  fmt::format("'{}' of {} is no address", endpoint.address, endpoint.interface));
    }
    options.interfaces.push_back({endpoint.interface, *address, scope});
  }
  return options;
}

model::Result common_result(const StageSpec& spec, const Target& target) {
  model::Result result;
  result.probe = spec.probe;
  result.mode = spec.mode;
  result.interface = target.label();
  result.transport = "tcp";
  result.collective = "allreduce";
  result.dtype = "float32";
  result.op = "sum";
  result.family = target.endpoints.front().family;
  result.ranks = spec.ranks;
  result.nodes =
      static_cast<int>(std::set<std::string>(spec.hosts.begin(), spec.hosts.end()).size());
  result.settings_name = spec.settings_name;
  result.settings = spec.settings;
  result.seed = spec.seed;
  return result;
}

/// The cases of one target; they share its listeners.
std::vector<RingCase> cases_of(StageContext& context, const Target& target, std::uint32_t first,
                               const std::shared_ptr<tcp::RingConnector>& connector) {
  const StageSpec& spec = context.spec;
  const auto shapes = asked_shapes(spec);
  std::vector<RingCase> cases;
  for (const auto& asked : shapes) {
    tcp::RingShape shape;
    shape.group = first + static_cast<std::uint32_t>(cases.size());
    shape.channels =
        asked.channels
            ? *asked.channels
            : agree_channels(
                  context,
                  plan::channel_plan(target.endpoints.size(), socket_environment()).channels);
    for (const auto& endpoint : target.endpoints) {
      shape.counts.push_back(socket_count(endpoint, asked));
    }
    RingCase next;
    next.result = common_result(spec, target);
    next.result.channels = shape.channels;
    next.result.threads = shape.counts.front().threads;
    next.result.sockets = shape.counts.front().threads == 0 ? 0 : shape.counts.front().sockets;
    next.label = fmt::format("{}, {} {}, {} threads, {} sockets", target.label(), shape.channels,
                             shape.channels == 1 ? "channel" : "channels", *next.result.threads,
                             *next.result.sockets);
    for (int c = 0; c < shape.channels; ++c) {
      next.channel_interfaces.push_back(connector->interface_of(c));
    }
    next.connect = [connector, shape](std::uint32_t block, base::Deadline deadline) {
      tcp::RingShape of_block = shape;
      of_block.block = block;
      return connector->connect(of_block, deadline);
    };
    next.strays = [connector] {
      connector->drop_strays();
      return connector->strays();
    };
    cases.push_back(std::move(next));
  }
  return cases;
}

std::map<std::string, Payload> payload_of(const StageSpec& spec, const RingMeasure& measure) {
  const auto host = [&spec](int rank) {
    return spec.hosts.at(static_cast<std::size_t>((rank + spec.ranks) % spec.ranks));
  };
  std::map<std::string, Payload> payload;
  for (const auto& [name, bytes] : measure.sent()) {
    if (host(spec.rank + 1) == host(spec.rank)) {
      payload[name].within_host += bytes;
    } else {
      payload[name].sent_to_other_hosts += bytes;
    }
  }
  for (const auto& [name, bytes] : measure.received()) {
    if (host(spec.rank - 1) != host(spec.rank)) payload[name].received_from_other_hosts += bytes;
  }
  return payload;
}

}  // namespace

std::size_t configurations(const StageSpec& spec) {
  return std::max<std::size_t>(1, spec.each_interface.size()) * asked_shapes(spec).size();
}

void run_tcp_allreduce(StageContext& context, model::StageReport& report) {
  const StageSpec& spec = context.spec;
  if (spec.ranks < 2) {
    throw Error(ErrorKind::kUnavailable, "one rank has no neighbour: start two or more ranks");
  }
  context.step("choose interfaces");
  const auto targets = resolve_targets(spec);
  StageGuard guard(context, targets);
  context.step("exchange addresses");
  const auto step = std::make_shared<std::string>("exchange addresses");
  std::vector<RingCase> cases;
  for (const auto& target : targets) {
    auto connector = std::make_shared<tcp::RingConnector>(
        context.comm, ring_options(spec, target, step), context.deadline);
    auto more = cases_of(context, target, static_cast<std::uint32_t>(cases.size()), connector);
    std::move(more.begin(), more.end(), std::back_inserter(cases));
  }
  if (cases.size() == 1) cases.front().label.clear();
  RingMeasure measure(context, {spec.rank, spec.ranks}, step);
  measure.run(cases, report);
  guard.finish(report, payload_of(spec, measure));
}

}  // namespace ringwise::probe
