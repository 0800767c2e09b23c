// NVIDIA GPUs as sysfs and the driver's /proc files show them; no CUDA is loaded.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/host.h"
#include "system/sysroot.h"

namespace ringwise::system {

/// The GPUs that the driver lists, which in a container are those it was given. Without a driver,
/// those on the PCI bus.
[[nodiscard]] std::vector<model::Gpu> read_gpus(const SysRoot& root);

/// Version of the loaded NVIDIA kernel driver.
[[nodiscard]] std::optional<std::string> read_nvidia_driver(const SysRoot& root);

}  // namespace ringwise::system
