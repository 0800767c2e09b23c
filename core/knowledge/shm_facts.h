// Numbers of NCCL's shared memory transport, in bytes. Source: NCCL 2.30.7,
// src/transport/shm.cc (shmSendSetup, shmRecvSetup) and src/init.cc (computeBuffSizes).
#pragma once

#include <cstdint>

namespace ringwise::knowledge {

/// sizeof(ncclSendMem) and sizeof(ncclRecvMem), each.
inline constexpr std::uint64_t kShmHeaderBytes = 4096;
/// Reference count at the end of every segment.
inline constexpr std::uint64_t kShmReferenceBytes = 4;
/// NCCL_LL_BUFFSIZE: 8 steps x 512 threads x 8 lines x 16 B.
inline constexpr std::uint64_t kLlBufferBytes = 524288;
/// NCCL_LL128_BUFFSIZE: 8 steps x 640 threads x 120 elements x 8 B.
inline constexpr std::uint64_t kLl128BufferBytes = 4915200;
/// NCCL_BUFFSIZE: the Simple protocol's buffer.
inline constexpr std::uint64_t kSimpleBufferBytes = 4194304;

}  // namespace ringwise::knowledge
