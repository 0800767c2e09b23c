#include "run_builder.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stats/interval.h"
#include "stats/percentile.h"

namespace ringwise::recommend::test {

model::Interface interface_of(const std::string& name, int index, int net, int host) {
  model::Interface made;
  made.name = name;
  made.index = index;
  made.is_up = true;
  made.is_running = true;
  made.mtu = 1500;
  made.addresses = {{.family = "inet",
                     .address = "10.0." + std::to_string(net) + "." + std::to_string(host),
                     .prefix_length = 24,
                     .scope = "global"}};
  return made;
}

model::Host host_of(const std::string& name, int number,
                    const std::vector<std::string>& interfaces) {
  model::Host host;
  host.host = name;
  auto loopback = interface_of("lo", 1, 0, 1);
  loopback.is_loopback = true;
  loopback.addresses.front().address = "127.0.0.1";
  loopback.addresses.front().prefix_length = 8;
  host.interfaces.push_back(loopback);
  for (std::size_t i = 0; i < interfaces.size(); ++i) {
    const auto index = static_cast<int>(i) + 2;
    host.interfaces.push_back(interface_of(interfaces[i], index, index, number));
  }
  host.cpus.online = 16;
  host.cpus.allowed_count = 16;
  host.memory.total_bytes = std::uint64_t{64} << 30;
  host.shm.size_bytes = std::uint64_t{32} << 30;
  return host;
}

model::Result wire(const Wire& wire) {
  model::Result result;
  result.probe = "tcp-allreduce";
  result.variant = "wire";
  result.interface = wire.interface;
  result.transport = "tcp";
  result.collective = "allreduce";
  result.family = "inet";
  result.ranks = 2;
  result.nodes = 2;
  result.channels = 2;
  result.threads = wire.threads;
  result.sockets = wire.sockets;
  result.settings_name = wire.settings_name;
  result.settings = wire.settings;
  result.path_proof = {model::ProofState::kProved, "eth0 grew by the payload"};
  result.background_share = 0.001;
  result.cpu_throttled_us = 0;
  for (const int mib : {1, 4, 16}) {
    model::SizeResult size;
    size.bytes = static_cast<std::uint64_t>(mib) << 20;
    size.verified = true;
    size.wrong = 0;
    size.samples = 60;
    size.blocks = static_cast<std::uint64_t>(wire.blocks);
    for (int block = 0; block < wire.blocks; ++block) {
      size.block_medians_us.push_back(wire.us * mib / 16 * (1 + wire.spread * (block % 3 - 1)));
    }
    size.time_us_p50 = stats::median(size.block_medians_us);
    const auto rate = [&](double us) { return static_cast<double>(size.bytes) / us / 1e3; };
    size.busbw_gbyte_per_s = rate(*size.time_us_p50);
    if (const auto range = stats::median_interval(size.block_medians_us)) {
      size.low = rate(range->high);
      size.high = rate(range->low);
    }
    result.sizes.push_back(size);
  }
  return result;
}

InputRun run_of(const std::vector<model::Host>& hosts,
                const std::vector<std::vector<std::string>>& measured,
                const std::vector<model::Result>& results, const std::string& mode) {
  InputRun run;
  run.name = "run.json";
  auto& record = run.record;
  record.complete = true;
  record.ended = "2026-01-31T12:01:00Z";
  record.mode.label = mode;
  record.hosts = hosts;
  record.results = results;
  record.launch.ranks = static_cast<int>(hosts.size());
  record.launch.nodes = static_cast<int>(hosts.size());
  record.launch.ranks_per_node.assign(hosts.size(), 1);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    model::Rank rank;
    rank.rank = static_cast<int>(i);
    rank.host = hosts[i].host;
    rank.interfaces = measured[i];
    record.ranks.push_back(rank);
  }
  return run;
}

InputRun simple_run(const std::vector<model::Result>& results, const std::string& mode) {
  const std::vector<std::string> names{"eth0", "docker0"};
  return run_of({host_of("node1", 1, names), host_of("node2", 2, names)}, {{"eth0"}, {"eth0"}},
                results, mode);
}

model::Advice advice_named(const std::vector<model::Advice>& advice, const std::string& name) {
  const auto found =
      std::find_if(advice.begin(), advice.end(), [&](const auto& one) { return one.name == name; });
  if (found != advice.end()) return *found;
  ADD_FAILURE() << "there is no advice on " << name;
  return {};
}

}  // namespace ringwise::recommend::test
