// How many sockets, threads and channels NCCL's socket transport uses, and how it splits a
// message over them. Source: NCCL 2.30.7 src/transport/net_socket.cc
// (ncclNetSocketGetNsockNthread, ncclNetSocketTest) and src/graph/connect.cc (ncclTopoPostset).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/nccl_integer.h"

namespace ringwise::plan {

/// One connection of one channel between two ranks over one interface.
struct SocketPlan {
  int threads = 0;                 ///< helper threads; 0 = the progress thread moves the data
  int sockets_per_thread = 1;      ///< of each helper thread
  int data_sockets = 0;            ///< threads x sockets_per_thread; 0 = data on the control socket
  std::uint64_t inline_bytes = 0;  ///< payload that travels with a message's header
  std::uint64_t min_task_bytes = 1;  ///< least payload given to one data socket
  std::string reason;                ///< where the numbers come from, in words
  std::vector<std::string> notes;    ///< clamped and misread settings

  friend bool operator==(const SocketPlan&, const SocketPlan&) = default;
};

/// `pci_vendor` as sysfs prints it ("0x1d0f"), absent for virtual interfaces. The receiving side's
/// plan counts for a connection. `nccl_version` absent = newest known.
[[nodiscard]] SocketPlan socket_plan(const std::optional<std::string>& pci_vendor,
                                     const Environment& environment,
                                     const std::optional<std::string>& nccl_version = {});

/// The same plan with threads and sockets chosen by the caller (a sweep), clamped as NCCL would.
[[nodiscard]] SocketPlan with_threads(SocketPlan plan, int threads, int sockets_per_thread);

struct ChannelPlan {
  int channels = 2;
  std::string reason;
  std::vector<std::string> notes;
};

/// Channels of a communicator whose nodes have `nics` socket interfaces each: two for each NIC,
/// then NCCL_MAX_* and NCCL_MIN_* (NCHANNELS, CTAS, NRINGS) in this order. NCCL's topology search
/// may find more where a NIC is faster than one channel's share.
[[nodiscard]] ChannelPlan channel_plan(std::size_t nics, const Environment& environment);

/// One piece of a message, moved by one data socket.
struct SocketTask {
  int socket = 0;  ///< 0 to data_sockets - 1; -1 = the control socket
  int thread = 0;  ///< socket modulo threads; -1 = the progress thread
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct MessageSplit {
  std::uint64_t control_bytes = 0;  ///< header and inline payload on the control socket
  std::vector<SocketTask> tasks;    ///< the rest, by offset; none when all of it was inline
  int next_socket = 0;              ///< first socket of the next message on this connection
};

/// `first_socket` is the previous message's next_socket: the round robin goes on from message to
/// message.
[[nodiscard]] MessageSplit split_message(std::uint64_t bytes, const SocketPlan& plan,
                                         int first_socket = 0);

}  // namespace ringwise::plan
