// Numbers of NCCL's socket transport. Source of all of them: NCCL 2.30.7,
// src/transport/net_socket.cc and src/misc/socket.cc, unchanged since 2.10 unless a version stands
// beside a number.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "knowledge/nccl_version.h"

namespace ringwise::knowledge {

/// How many helper threads and sockets NCCL uses for a NIC when nothing is set.
struct SocketDefaults {
  std::string_view pci_vendor;  ///< as sysfs prints it
  std::string_view nic;
  int threads = 0;
  int sockets_per_thread = 1;
};

inline constexpr std::array<SocketDefaults, 2> kSocketDefaultsByVendor{{
    {.pci_vendor = "0x1d0f", .nic = "AWS ENA", .threads = 2, .sockets_per_thread = 8},
    {.pci_vendor = "0x1ae0", .nic = "Google gVNIC", .threads = 4, .sockets_per_thread = 1},
}};

/// No helper thread: NCCL's progress thread moves the data itself, over the control socket.
inline constexpr SocketDefaults kSocketDefaultsOfOthers{
    .pci_vendor = {}, .nic = "any other NIC", .threads = 0, .sockets_per_thread = 1};

inline constexpr int kMaxSocketThreads = 16;
inline constexpr int kMaxDataSockets = 64;  ///< threads x sockets per thread
inline constexpr int kMaxSocketInterfaces =
    16;                                  ///< used together; tokens of NCCL_SOCKET_IFNAME too
inline constexpr int kMaxChannels = 64;  ///< since 2.25; 32 before

/// Bytes of a message's size on the control socket, which every message starts with.
inline constexpr std::uint64_t kMessageHeaderBytes = 4;
/// NCCL_SOCKET_INLINE: payload that travels with the header. Nothing before kSocketInlineSince.
inline constexpr std::uint64_t kSocketInlineBytes = 128;
/// NCCL_SOCKET_MIN_TASKSIZE: least payload given to one data socket; fixed before
/// kSocketInlineSince.
inline constexpr std::uint64_t kSocketMinTaskBytes = 65536;
inline constexpr NcclVersion kSocketInlineSince{2, 27, 3};

/// Since this version the automatic choice leaves virbr* out until nothing else is there.
inline constexpr NcclVersion kVirbrExcludedSince{2, 28, 3};

}  // namespace ringwise::knowledge
