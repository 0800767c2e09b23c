// The storage that a job would work on: the file system of the working directory.
#pragma once

#include <optional>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// Live only: a fixture has no working directory, so it is absent there. Which folder it is stays
/// out of the record.
[[nodiscard]] std::optional<model::Storage> read_storage(const SysRoot& root);

}  // namespace ringwise::system
