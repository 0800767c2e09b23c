// Which environment variables a record may hold.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace ringwise::system {

using Environment = std::map<std::string, std::string>;

/// True for NCCL_*, UCX_*, FI_*, PCIDEVICE_*, RINGWISE_*, OMPI_MCA_*, CUDA_VISIBLE_DEVICES and
/// OMPI_COMM_WORLD_RANK, _SIZE and _LOCAL_RANK; never for names with TOKEN, KEY, SECRET, PASSWORD
/// or CREDENTIALS as one of their words, nor for Open MPI's transport key. NCCL_IB_PKEY is fine:
/// a partition key is no secret.
[[nodiscard]] bool may_record(std::string_view name);

/// What of `all` may be recorded; values safe to print and at most 4096 bytes.
[[nodiscard]] Environment recordable(const Environment& all);

/// The whole environment of this process.
[[nodiscard]] Environment process_environment();

}  // namespace ringwise::system
