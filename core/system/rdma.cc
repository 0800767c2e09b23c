#include "system/rdma.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/units.h"
#include "system/interfaces.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

constexpr int kMostPorts = 255;   // the port number is a byte in the InfiniBand specification
constexpr int kMostGids = 65536;  // the table's index has 16 bits

bool is_zero(std::string_view gid) {
  return gid.find_first_not_of("0:") == std::string_view::npos;
}

/// "ACTIVE" from "4: ACTIVE".
std::string state_of(const SysRoot& root, const std::string& port) {
  const auto line = root.read_line(port + "/state").value_or("");
  const auto colon = line.find(':');
  return std::string(base::trim(colon == std::string::npos ? line : line.substr(colon + 1)));
}

std::optional<int> number_in(const std::string& name, int most) {
  const auto number = base::parse_int(name);
  if (!number || *number < 0 || *number > most) return std::nullopt;
  return static_cast<int>(*number);
}

std::vector<model::Gid> read_gids(const SysRoot& root, const std::string& port) {
  std::vector<model::Gid> gids;
  for (const auto& name : root.list(port + "/gids")) {
    const auto index = number_in(name, kMostGids);
    const auto gid = root.read_line(fmt::format("{}/gids/{}", port, name));
    if (!index || !gid || is_zero(*gid)) continue;
    gids.push_back({.index = *index,
                    .gid = *gid,
                    .type = root.read_line(fmt::format("{}/gid_attrs/types/{}", port, name)),
                    .netdev = root.read_line(fmt::format("{}/gid_attrs/ndevs/{}", port, name))});
  }
  return gids;
}

model::RdmaPort read_port(const SysRoot& root, const std::string& folder, int number) {
  model::RdmaPort port;
  port.port = number;
  port.state = state_of(root, folder);
  port.link_layer = root.read_line(folder + "/link_layer").value_or("");
  port.rate = root.read_line(folder + "/rate");
  if (const auto line = root.read_line(folder + "/lid")) {
    const auto lid = parse_hexadecimal(*line);  // sysfs prints "0x1f"
    if (lid && *lid < (1U << 16U)) port.lid = static_cast<std::int64_t>(*lid);
  }
  port.gids = read_gids(root, folder);
  return port;
}

/// Those below the same PCI device in this namespace, then those that the GIDs belong to.
std::vector<std::string> netdevs_of(const SysRoot& root, const std::string& folder,
                                    const std::vector<model::RdmaPort>& ports) {
  auto names = root.list(folder + "/device/net");
  for (const auto& port : ports) {
    for (const auto& gid : port.gids) {
      if (gid.netdev && std::ranges::find(names, *gid.netdev) == names.end()) {
        names.push_back(*gid.netdev);
      }
    }
  }
  return names;
}

}  // namespace

std::vector<model::RdmaDevice> read_rdma_devices(const SysRoot& root) {
  std::vector<model::RdmaDevice> devices;
  for (const auto& name : root.list("/sys/class/infiniband")) {
    const std::string folder = "/sys/class/infiniband/" + name;
    if (!root.exists(folder + "/ports")) continue;
    model::RdmaDevice device;
    device.name = base::printable(name);
    device.pci_address = read_pci_address(root, folder + "/device");
    device.numa_node = read_numa_node(root, folder + "/device");
    device.firmware = root.read_line(folder + "/fw_ver");
    device.board = root.read_line(folder + "/board_id");
    for (const auto& entry : root.list(folder + "/ports")) {
      const auto number = number_in(entry, kMostPorts);
      if (!number) continue;
      device.ports.push_back(read_port(root, fmt::format("{}/ports/{}", folder, entry), *number));
    }
    device.netdevs = netdevs_of(root, folder, device.ports);
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace ringwise::system
