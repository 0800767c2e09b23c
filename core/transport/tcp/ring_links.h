// Connects each rank of a ring with its neighbours over TCP.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "comm/communicator.h"
#include "transport/tcp/dialer.h"
#include "transport/tcp/listener.h"
#include "transport/transport.h"

namespace ringwise::transport::tcp {

/// A measured interface of this rank.
struct Interface {
  std::string name;
  SocketAddress address;    ///< its first address; the port is ignored
  std::uint32_t index = 0;  ///< as the kernel counts; the scope of link-local peers
};

/// How the receiving end of a channel is split; the sending end obeys it, as in NCCL.
struct SocketCount {
  int threads = 0;
  int sockets = 1;  ///< for each thread
  /// 0 = the control socket moves the data
  [[nodiscard]] int data_sockets() const { return threads * sockets; }
};

struct RingOptions {
  std::vector<std::string> hosts;     ///< of each rank
  std::vector<Interface> interfaces;  ///< channel c uses interface c mod their number
  Token token{};
  SocketOptions sockets;
  std::shared_ptr<const std::string> step;  ///< see Peer
};

/// One ring of connections: which of many, and of what shape.
struct RingShape {
  std::uint32_t block = 0;
  std::uint32_t group = 0;  ///< configuration
  int channels = 1;
  std::vector<SocketCount> counts;  ///< of this rank, by interface
};

/// Listens on every interface of this rank for the life of a stage.
class RingConnector {
 public:
  /// Exchanges the addresses. Collective. Throws Error.
  RingConnector(comm::Communicator& comm, RingOptions options, base::Deadline deadline);

  /// New connections, from new ports, to the neighbours in rank order. Collective. Throws
  /// PlacedError that names the neighbour who did not come.
  [[nodiscard]] Links connect(const RingShape& shape, base::Deadline deadline);

  /// Reads and drops what came uncalled. Call it between measurements.
  void drop_strays();
  [[nodiscard]] std::uint64_t strays() const;
  /// The own interface of a channel.
  [[nodiscard]] const std::string& interface_of(int channel) const;

 private:
  [[nodiscard]] std::size_t interface_index(int channel) const;
  std::map<ConnectionId, Peer> expect_previous(const RingShape& shape);
  void check_open_files(const RingShape& shape) const;
  void dial_next(Dialer& dialer, const RingShape& shape,
                 const std::vector<SocketCount>& next_counts) const;
  [[nodiscard]] Peer peer(int rank, int channel) const;

  comm::Communicator& comm_;
  RingOptions options_;
  int previous_;
  int next_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<std::string> next_addresses_;  ///< of the next rank, by its interface
};

}  // namespace ringwise::transport::tcp
