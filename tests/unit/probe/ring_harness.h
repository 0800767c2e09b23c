// Rings of threads over loopback for the tests of the all-reduce.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comm/local_group.h"
#include "probe/ring.h"
#include "transport/tcp/ring_links.h"

namespace ringwise::probe {

inline constexpr const char* kToken = "00112233445566778899aabbccddeeff";

struct RingSetup {
  int ranks = 2;
  int channels = 1;
  int threads = 0;
  int sockets = 1;
  std::string address = "127.0.0.1";
  double stall_s = 20;
  RingTuning tuning;
};

inline base::Deadline soon() {
  return base::Deadline::after(std::chrono::seconds(60));
}

inline transport::tcp::RingOptions loopback_options(const RingSetup& setup) {
  transport::tcp::RingOptions options;
  for (int rank = 0; rank < setup.ranks; ++rank) {
    options.hosts.push_back("node" + std::to_string(rank));
  }
  options.interfaces.push_back({"lo", *transport::tcp::SocketAddress::make(setup.address, 0), 1});
  options.token = transport::tcp::parse_token(kToken);
  return options;
}

inline transport::tcp::RingShape shape_of(const RingSetup& setup) {
  transport::tcp::RingShape shape;
  shape.channels = setup.channels;
  shape.counts = {{setup.threads, setup.sockets}};
  return shape;
}

/// Runs `body` with a connected ring in each rank; what the ranks threw, empty = nothing.
inline std::vector<std::string> run_ring(
    const RingSetup& setup, const std::function<void(comm::Communicator&, Ring&)>& body) {
  return comm::LocalGroup::run(setup.ranks, [&](comm::Communicator& comm) {
    transport::tcp::RingConnector connector(comm, loopback_options(setup), soon());
    Ring ring(comm.rank(), comm.size(), connector.connect(shape_of(setup), soon()),
              base::from_seconds(setup.stall_s), setup.tuning);
    body(comm, ring);
  });
}

}  // namespace ringwise::probe
