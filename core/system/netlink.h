// The kernel's own view of this network namespace, through rtnetlink.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/host.h"

struct nl_sock;

namespace ringwise::system {

/// One connected route socket; every wait on it ends after five seconds.
class RouteSocket {
 public:
  /// Absent with the reason in `problem` when the kernel refuses.
  [[nodiscard]] static std::optional<RouteSocket> open(std::string& problem);
  [[nodiscard]] nl_sock* get() const { return socket_.get(); }

 private:
  struct Close {
    void operator()(nl_sock* socket) const;
  };
  explicit RouteSocket(nl_sock* socket) : socket_(socket) {}
  std::unique_ptr<nl_sock, Close> socket_;
};

/// What rtnetlink knows of an interface; the rest of `facts` comes from sysfs.
struct Link {
  model::Interface facts;
  std::string hardware_address;  ///< as sysfs prints it; "" when there is none
};

/// Interfaces and their addresses in the order in which the kernel lists them, which is the order
/// of getifaddrs(3) and so NCCL's (source: NCCL 2.30.7 src/os/linux.cc ncclOsFindInterfaces).
/// Adds to `problems` what failed.
[[nodiscard]] std::vector<Link> read_links(std::vector<std::string>& problems);

}  // namespace ringwise::system
