// NCCL_IB_DISABLE: only where some hosts could use RDMA and others could not.
#include <algorithm>

#include <fmt/format.h>

#include "base/units.h"
#include "recommend/advice/rows.h"

namespace ringwise::recommend {
namespace {

constexpr const char* kId = "ib-disable";
constexpr const char* kName = "NCCL_IB_DISABLE";

enum class Rdma { kAbsent, kUnusable, kUsable };

/// NCCL keeps a port that is ACTIVE; over Ethernet it also needs a GID, and the GIDs of a port
/// whose interface is in another network namespace are not visible.
/// Source: NCCL 2.30.7 src/transport/net_ib/init.cc (ncclIbInitDevices), connect.cc
/// (ncclIbGetGidIndex).
Rdma rdma_of(const model::Host& host, std::string& why) {
  Rdma found = Rdma::kAbsent;
  for (const auto& device : host.rdma) {
    for (const auto& port : device.ports) {
      if (port.state != "ACTIVE") continue;
      if (port.link_layer == "InfiniBand" || !port.gids.empty()) return Rdma::kUsable;
      found = Rdma::kUnusable;
      why = fmt::format(
          "{} port {} of {} is ACTIVE but shows no GID here (its interface is in "
          "another network namespace)",
          device.name, port.port, host.host);
    }
  }
  return found;
}

}  // namespace

std::vector<model::Advice> advise_ib_disable(const Evidence& evidence) {
  if (!evidence.is_complete) {
    return {not_enough(kId, kName, "env", evidence.why_not)};
  }
  std::vector<std::string> usable;
  std::vector<std::string> absent;
  std::string unusable;
  for (const auto* host : evidence.hosts) {
    switch (rdma_of(*host, unusable)) {
      case Rdma::kUsable:
        usable.push_back(host->host);
        break;
      case Rdma::kAbsent:
        absent.push_back(host->host);
        break;
      case Rdma::kUnusable:
        break;
    }
  }
  const auto all = evidence.hosts.size();
  if (absent.size() == all) {
    return {
        unset(kId, kName, "env",
              fmt::format("no RDMA device with an ACTIVE port is visible on any host ({}): NCCL "
                          "falls back to sockets by itself",
                          all))};
  }
  if (usable.size() == all) {
    return {
        unset(kId, kName, "env",
              fmt::format("every host ({}) has a usable RDMA port; this record measured TCP, which "
                          "says nothing against RDMA",
                          all))};
  }
  model::Advice advice;
  advice.id = kId;
  advice.state = model::AdviceState::kRequired;
  advice.name = kName;
  advice.value = "1";
  advice.where = "env";
  const auto on = [](const std::vector<std::string>& hosts) {
    return fmt::format("{} host{} ({}{})", hosts.size(), hosts.size() == 1 ? "" : "s",
                       hosts.front(), hosts.size() > 1 ? ", ..." : "");
  };
  std::vector<std::string> parts;
  if (!usable.empty()) parts.push_back("RDMA can be used on " + on(usable));
  if (!absent.empty()) parts.push_back("no RDMA port is ACTIVE on " + on(absent));
  if (!unusable.empty()) parts.push_back(unusable + ", so NCCL would choose it and not connect");
  if (!usable.empty() && !absent.empty()) {
    parts.emplace_back("ranks that choose different transports do not connect");
  }
  advice.reason = base::printable(base::join(parts, "; "));
  advice.nccl_versions = "all";
  advice.verify = "NCCL_DEBUG=INFO prints \"NET/Socket\" and no \"NET/IB\" line on every rank";
  advice.undo = "unset NCCL_IB_DISABLE, once every host has the same usable RDMA devices";
  advice.cost = "no RDMA on the hosts that have it";
  return {advice};
}

}  // namespace ringwise::recommend
