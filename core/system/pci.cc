#include "system/pci.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "system/interfaces.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

std::optional<unsigned> hexadecimal_in(const SysRoot& root, const std::string& path) {
  const auto line = root.read_line(path);
  const auto value = line ? parse_hexadecimal(*line) : std::nullopt;
  if (!value || *value > 0xFFFFFFFFU) return std::nullopt;
  return static_cast<unsigned>(*value);
}

std::optional<double> link_rate_of(const SysRoot& root, const std::string& folder) {
  const auto speed = root.read_line(folder + "/current_link_speed");
  const auto lanes = root.read_int(folder + "/current_link_width");
  if (!speed || !lanes || *lanes < 1 || *lanes > 32) return std::nullopt;
  return link_rate(*speed, static_cast<int>(*lanes));
}

}  // namespace

std::vector<model::PciDevice> read_pci_devices(const SysRoot& root) {
  std::vector<model::PciDevice> devices;
  for (const auto& address : root.list("/sys/bus/pci/devices")) {
    if (!is_pci_address(address)) continue;
    const std::string folder = "/sys/bus/pci/devices/" + address;
    const auto pci_class = hexadecimal_in(root, folder + "/class");
    const auto vendor = hexadecimal_in(root, folder + "/vendor");
    if (!pci_class || !vendor) continue;
    const auto device_class = device_class_of(*pci_class, *vendor);
    if (!device_class) continue;
    devices.push_back({.address = address,
                       .device_class = *device_class,
                       .vendor = root.read_line(folder + "/vendor").value_or(""),
                       .device = root.read_line(folder + "/device").value_or(""),
                       .numa_node = read_numa_node(root, folder),
                       .link_gbyte_per_s = link_rate_of(root, folder)});
  }
  std::ranges::sort(devices, is_pci_before, &model::PciDevice::address);
  return devices;
}

std::optional<std::string> device_class_of(unsigned pci_class, unsigned vendor) {
  // source: PCI Code and ID Assignment Specification: base class 01 storage, 02 network (0207
  // InfiniBand), 03 display (0302 without a screen).
  constexpr unsigned kNvidia = 0x10de;
  constexpr unsigned kAmd = 0x1002;
  constexpr unsigned kIntel = 0x8086;
  switch (pci_class >> 16U) {
    case 0x01:
      return "storage";
    case 0x02:
      return "network";
    case 0x03:
      break;
    default:
      return std::nullopt;
  }
  const bool makes_gpus = vendor == kNvidia || vendor == kAmd || vendor == kIntel;
  if (makes_gpus || (pci_class >> 8U) == 0x0302) return "gpu";
  return std::nullopt;
}

std::optional<double> link_rate(std::string_view speed, int lanes) {
  double transfers = 0;  // 10^9 a second and lane, one bit each
  const auto [end, code] = std::from_chars(speed.data(), speed.data() + speed.size(), transfers);
  if (code != std::errc{} || !(transfers > 0) || transfers > 1000) return std::nullopt;
  // source: PCI Express Base Specification: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s, and
  // 242 of 256 bytes in FLIT mode above.
  const double payload = transfers <= 5 ? 0.8 : transfers <= 32 ? 128.0 / 130.0 : 242.0 / 256.0;
  return transfers * payload / 8 * lanes;
}

}  // namespace ringwise::system
