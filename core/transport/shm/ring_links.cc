#include "transport/shm/ring_links.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "transport/shm/ends.h"
#include "transport/shm/layout.h"
#include "transport/shm/segment.h"

namespace ringwise::transport::shm {
namespace {

/// Owns the mappings too: it outlives the ends.
class ShmWaiter final : public Waiter {
 public:
  ShmWaiter(Segment own, Segment next, Segment previous, Bell& bell)
      : own_(std::move(own)), next_(std::move(next)), previous_(std::move(previous)), bell_(bell) {}
  void prepare() override { bell_.arm(); }
  void wait(int milliseconds) override { bell_.wait(milliseconds); }

 private:
  Segment own_;
  Segment next_;
  Segment previous_;
  Bell& bell_;
};

std::string segment_name(const RingOptions& options, int rank) {
  return fmt::format("{}{}-{}", run_prefix(options.run_id), options.block, rank);
}

}  // namespace

std::size_t segment_bytes(int channels) {
  return Layout(channels).bytes();
}

std::vector<int> ranks_of_host(const std::vector<std::string>& hosts, int rank) {
  std::vector<int> ranks;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (hosts[i] == hosts.at(static_cast<std::size_t>(rank))) ranks.push_back(static_cast<int>(i));
  }
  return ranks;
}

Links connect_ring(comm::Communicator& comm, const RingOptions& options, base::Deadline deadline) {
  const auto ranks = ranks_of_host(options.hosts, comm.rank());
  if (ranks.size() < 2) {
    comm.barrier(deadline);
    comm.barrier(deadline);
    return {};
  }
  const auto at =
      static_cast<std::size_t>(std::find(ranks.begin(), ranks.end(), comm.rank()) - ranks.begin());
  const int next = ranks[(at + 1) % ranks.size()];
  const int previous = ranks[(at + ranks.size() - 1) % ranks.size()];
  const Layout layout(options.channels);
  remove_leftovers();
  Segment own = Segment::create(segment_name(options, comm.rank()), layout.bytes());
  comm.barrier(deadline);
  Segment of_next = Segment::attach(segment_name(options, next), layout.bytes());
  Segment of_previous = Segment::attach(segment_name(options, previous), layout.bytes());
  comm.barrier(deadline);
  own.unlink();

  const auto peer = [&options](int rank) {
    return Peer{rank, options.hosts[static_cast<std::size_t>(rank)], {}, options.step};
  };
  Links links;
  std::byte* mine = own.data();
  std::byte* theirs = of_next.data();
  Bell& next_bell = layout.bell(theirs);
  Bell& previous_bell = layout.bell(of_previous.data());
  links.waiter = std::make_unique<ShmWaiter>(std::move(own), std::move(of_next),
                                             std::move(of_previous), layout.bell(mine));
  for (int channel = 0; channel < options.channels; ++channel) {
    links.to_next.push_back(std::make_unique<ShmSender>(
        layout.queue(theirs, channel), layout.slots(theirs, channel), next_bell, peer(next)));
    links.from_previous.push_back(std::make_unique<ShmReceiver>(
        layout.queue(mine, channel), layout.slots(mine, channel), previous_bell, peer(previous)));
  }
  return links;
}

}  // namespace ringwise::transport::shm
