#include "system/topology.h"

#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/handle.h"
#include "system/cpus.h"
#include "system/pci.h"
#include "system/text.h"

namespace ringwise::system {
namespace {

using Handle = base::UniqueHandle<hwloc_topology, hwloc_topology_destroy>;

constexpr std::size_t kXmlLimit = std::size_t{32} << 20;

/// These start drivers or talk to a display server, which a description does not need.
constexpr std::array<const char*, 6> kUnwanted{"cuda", "nvml", "opencl", "gl", "rsmi", "levelzero"};

/// A loaded topology; empty when hwloc could not make one.
Handle load(const SysRoot& root, const std::string& xml) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  Handle topology(raw);
  for (const char* name : kUnwanted) {
    // Fails where hwloc was built without that component, which is as good.
    (void)hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, name);
  }
  const bool is_ready =
      hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) == 0 &&
      hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
      (root.is_live() ||
       hwloc_topology_set_xmlbuffer(raw, xml.c_str(), static_cast<int>(xml.size() + 1)) == 0);
  if (!is_ready || hwloc_topology_load(raw) != 0) return nullptr;
  return topology;
}

std::string list_of(hwloc_const_bitmap_t set) {
  std::array<char, 4096> text{};
  if (set == nullptr || hwloc_bitmap_list_snprintf(text.data(), text.size(), set) < 0) return {};
  return text.data();
}

std::vector<model::NumaNode> numa_nodes_of(hwloc_topology_t topology) {
  std::vector<model::NumaNode> nodes;
  for (hwloc_obj_t node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, nullptr);
       node != nullptr; node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) {
    model::NumaNode facts{.node = static_cast<int>(node->os_index),
                          .cpus = list_of(node->cpuset),
                          .memory_bytes = std::nullopt};
    if (node->attr->numanode.local_memory > 0) {
      facts.memory_bytes = node->attr->numanode.local_memory;
    }
    nodes.push_back(std::move(facts));
  }
  std::ranges::sort(nodes, {}, &model::NumaNode::node);
  return nodes;
}

/// The one NUMA node that the device hangs off; absent when it is as near to several.
std::optional<int> numa_node_of(hwloc_topology_t topology, hwloc_obj_t device) {
  hwloc_obj_t above = hwloc_get_non_io_ancestor_obj(topology, device);
  if (above == nullptr || above->nodeset == nullptr) return std::nullopt;
  if (hwloc_bitmap_weight(above->nodeset) != 1) return std::nullopt;
  return hwloc_bitmap_first(above->nodeset);
}

/// Fills what sysfs left open of a device, or adds the device.
void merge(const model::PciDevice& found, std::vector<model::PciDevice>& devices) {
  const auto known = std::ranges::find(devices, found.address, &model::PciDevice::address);
  if (known == devices.end()) {
    devices.push_back(found);
    return;
  }
  if (!known->numa_node) known->numa_node = found.numa_node;
  if (!known->link_gbyte_per_s) known->link_gbyte_per_s = found.link_gbyte_per_s;
}

void merge_pci(hwloc_topology_t topology, std::vector<model::PciDevice>& devices) {
  for (hwloc_obj_t object = hwloc_get_next_pcidev(topology, nullptr); object != nullptr;
       object = hwloc_get_next_pcidev(topology, object)) {
    const auto& place = object->attr->pcidev;
    const auto kind = device_class_of(static_cast<unsigned>(place.class_id) << 8U, place.vendor_id);
    if (!kind) continue;
    model::PciDevice device{
        .address = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", static_cast<unsigned>(place.domain),
                               static_cast<unsigned>(place.bus), static_cast<unsigned>(place.dev),
                               static_cast<unsigned>(place.func)),
        .device_class = *kind,
        .vendor = fmt::format("0x{:04x}", place.vendor_id),
        .device = fmt::format("0x{:04x}", place.device_id),
        .numa_node = numa_node_of(topology, object),
        .link_gbyte_per_s = std::nullopt};
    if (place.linkspeed > 0) device.link_gbyte_per_s = static_cast<double>(place.linkspeed);
    merge(device, devices);
  }
  std::ranges::sort(devices, is_pci_before, &model::PciDevice::address);
}

}  // namespace

Topology read_topology(const SysRoot& root, std::vector<std::string>& problems) {
  Topology topology{.pci = read_pci_devices(root), .numa_nodes = read_numa_nodes(root)};
  const auto xml = root.is_live() ? std::nullopt : root.read("/topology.xml", kXmlLimit);
  if (!root.is_live() && !xml) return topology;
  const Handle loaded = load(root, xml.value_or(""));
  if (!loaded) {
    problems.emplace_back(root.is_live() ? "topology: hwloc could not read this machine"
                                         : "topology: hwloc could not read topology.xml");
    return topology;
  }
  auto nodes = numa_nodes_of(loaded.get());
  if (!nodes.empty()) topology.numa_nodes = std::move(nodes);
  merge_pci(loaded.get(), topology.pci);
  return topology;
}

}  // namespace ringwise::system
