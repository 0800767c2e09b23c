#include "system/gpus.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "system/interfaces.h"
#include "system/pci.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

constexpr std::string_view kNvidia = "0x10de";

/// True for "570.124.06": two or three numbers.
bool is_version(std::string_view word) {
  const auto is_part = [](char c) { return c == '.' || (c >= '0' && c <= '9'); };
  return std::ranges::all_of(word, is_part) && std::ranges::count(word, '.') >= 1 &&
         !word.starts_with('.') && !word.ends_with('.');
}

std::vector<model::Gpu> listed_by_driver(const SysRoot& root) {
  std::vector<model::Gpu> gpus;
  const std::string folder = "/proc/driver/nvidia/gpus";
  for (const auto& address : root.list(folder)) {
    if (!is_pci_address(address)) continue;
    const auto text = root.read(fmt::format("{}/{}/information", folder, address));
    gpus.push_back({.pci_address = address,
                    .name = text ? value_of(*text, "Model") : std::nullopt,
                    .numa_node = read_numa_node(root, "/sys/bus/pci/devices/" + address)});
  }
  std::ranges::sort(gpus, is_pci_before, &model::Gpu::pci_address);
  return gpus;
}

}  // namespace

std::vector<model::Gpu> read_gpus(const SysRoot& root) {
  auto gpus = listed_by_driver(root);
  if (!gpus.empty()) return gpus;
  for (const auto& device : read_pci_devices(root)) {
    if (device.device_class != "gpu" || device.vendor != kNvidia) continue;
    gpus.push_back(
        {.pci_address = device.address, .name = std::nullopt, .numa_node = device.numa_node});
  }
  return gpus;
}

std::optional<std::string> read_nvidia_driver(const SysRoot& root) {
  // "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06  Release Build ..."
  if (const auto line = root.read_line("/proc/driver/nvidia/version")) {
    for (const auto word : words(*line)) {
      if (is_version(word)) return std::string(word);
    }
  }
  return root.read_line("/sys/module/nvidia/version");
}

}  // namespace ringwise::system
