#include "system/interfaces.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "system/ip_addr.h"
#include "system/netlink.h"
#include "system/offloads.h"
#include "system/queues.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

constexpr std::size_t kAddressFileLimit = std::size_t{16} << 20;

std::vector<Link> read_saved_links(const SysRoot& root, std::vector<std::string>& problems) {
  const auto text = root.read("/ip-addr.json", kAddressFileLimit);
  if (!text) {
    problems.emplace_back("interfaces: the fixture has no readable ip-addr.json");
    return {};
  }
  return parse_ip_addr(*text, problems);
}

/// A name that stays inside its folder. The kernel refuses the others (dev_valid_name).
bool is_safe_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

/// False when /sys belongs to another network namespace: an interface of that name there is a
/// different one.
bool is_same_interface(const SysRoot& root, const std::string& folder, const Link& link) {
  const auto index = root.read_int(folder + "/ifindex");
  if (index && *index != link.facts.index) return false;
  const auto address = root.read_line(folder + "/address");
  return !address || link.hardware_address.empty() || *address == link.hardware_address;
}

/// A sysfs device folder or the nearest PCI device's above it.
std::optional<std::filesystem::path> pci_folder(const SysRoot& root, std::string_view device) {
  auto path = root.real_path(device);
  if (!path) return std::nullopt;
  for (; path->has_relative_path(); *path = path->parent_path()) {
    if (is_pci_address(path->filename().string())) return path;
  }
  return std::nullopt;
}

/// PCI address of the physical function of a virtual one: only such a device has the link (source:
/// Linux Documentation/ABI/testing/sysfs-bus-pci).
std::optional<std::string> read_physical_function(const SysRoot& root, std::string_view device) {
  const auto folder = pci_folder(root, device);
  if (!folder) return std::nullopt;
  const auto name = root.link_name((*folder / "physfn").string());
  return name && is_pci_address(*name) ? name : std::nullopt;
}

void add_device_facts(const SysRoot& root, const std::string& folder, model::Interface& facts) {
  const auto speed = root.read_int(folder + "/speed");
  if (speed && *speed > 0) facts.speed_mbit_per_s = *speed;
  const std::string device = folder + "/device";
  if (!root.exists(device)) return;
  facts.driver = root.link_name(device + "/driver");
  facts.pci_vendor = root.read_line(device + "/vendor");
  facts.pci_address = read_pci_address(root, device);
  facts.numa_node = read_numa_node(root, device);
  facts.physical_function = read_physical_function(root, device);
}

/// Of this machine by netlink; of a fixture from its ethtool.json, which an older one lacks.
OffloadsByIndex offloads_by_index(const SysRoot& root, std::vector<std::string>& problems) {
  if (root.is_live()) return read_offloads(problems);
  const auto text = root.read("/ethtool.json", kAddressFileLimit);
  return text ? parse_offloads(*text, problems) : OffloadsByIndex{};
}

/// The interface of the default route with the lowest metric in /proc/net/route.
std::optional<std::string> default_of_ipv4(std::string_view table) {
  std::optional<std::string> best;
  std::uint64_t best_metric = std::numeric_limits<std::uint64_t>::max();
  for (const auto line : lines(table)) {
    const auto cells = words(line);
    if (cells.size() < 8 || cells[1] != "00000000" || cells[7] != "00000000") continue;
    const auto metric = parse_unsigned(cells[6]);
    if (!metric || *metric >= best_metric) continue;
    best = base::printable(cells[0]);
    best_metric = *metric;
  }
  return best;
}

/// The same in /proc/net/ipv6_route: destination, its length, source, its length, next hop,
/// metric, references, use, flags, interface. The kernel lists a reject route on lo, too.
std::optional<std::string> default_of_ipv6(std::string_view table) {
  std::optional<std::string> best;
  std::uint64_t best_metric = std::numeric_limits<std::uint64_t>::max();
  for (const auto line : lines(table)) {
    const auto cells = words(line);
    if (cells.size() < 10 || cells[1] != "00" || cells[9] == "lo") continue;
    if (cells[0].find_first_not_of('0') != std::string_view::npos) continue;
    const auto metric = parse_hexadecimal(cells[5]);
    if (!metric || *metric >= best_metric) continue;
    best = base::printable(cells[9]);
    best_metric = *metric;
  }
  return best;
}

}  // namespace

std::vector<model::Interface> read_interfaces(const SysRoot& root,
                                              std::vector<std::string>& problems) {
  auto links = root.is_live() ? read_links(problems) : read_saved_links(root, problems);
  const auto offloads = offloads_by_index(root, problems);
  std::vector<model::Interface> interfaces;
  std::vector<std::string> elsewhere;
  for (auto& link : links) {
    const auto known = offloads.find(link.facts.index);
    if (known != offloads.end()) link.facts.offloads = known->second;
    const std::string folder = "/sys/class/net/" + link.facts.name;
    if (is_safe_name(link.facts.name) && root.exists(folder)) {
      if (is_same_interface(root, folder, link)) {
        add_device_facts(root, folder, link.facts);
        add_queues(root, folder, link.facts);
      } else {
        elsewhere.push_back(link.facts.name);
      }
    }
    interfaces.push_back(std::move(link.facts));
  }
  if (!elsewhere.empty()) {
    problems.push_back(fmt::format(
        "interfaces: /sys shows another network namespace, so speed and device are unknown: {}",
        base::join(elsewhere, ", ")));
  }
  return interfaces;
}

std::optional<std::string> read_default_interface(const SysRoot& root) {
  if (const auto table = root.read("/proc/net/route")) {
    if (auto found = default_of_ipv4(*table)) return found;
  }
  if (const auto table = root.read("/proc/net/ipv6_route")) return default_of_ipv6(*table);
  return std::nullopt;
}

std::optional<std::string> read_pci_address(const SysRoot& root, std::string_view device) {
  const auto folder = pci_folder(root, device);
  if (!folder) return std::nullopt;
  return folder->filename().string();
}

std::optional<int> read_numa_node(const SysRoot& root, std::string_view device) {
  auto path = root.real_path(device);
  if (!path) return std::nullopt;
  for (; path->has_relative_path(); *path = path->parent_path()) {
    const auto node = root.read_int((*path / "numa_node").string());
    if (node && *node >= 0 && *node < 65536) return static_cast<int>(*node);
    if (is_pci_address(path->filename().string())) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace ringwise::system
