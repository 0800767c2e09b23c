#include "system/queues.h"

#include <algorithm>
#include <set>
#include <vector>

#include "system/text.h"

namespace ringwise::system {
namespace {

/// Interrupts of one device that are looked at. source: the PCI specification, MSI-X: 2048 vectors
constexpr std::size_t kMostInterrupts = 2048;

std::optional<int> count(const std::vector<std::string>& names, std::string_view prefix) {
  const auto found = std::ranges::count_if(
      names, [prefix](const std::string& name) { return name.starts_with(prefix); });
  return found > 0 ? std::optional(static_cast<int>(found)) : std::nullopt;
}

std::optional<std::string> irq_cpus(const SysRoot& root, const std::string& device) {
  auto interrupts = root.list(device + "/msi_irqs");
  interrupts.resize(std::min(interrupts.size(), kMostInterrupts));
  std::set<int> cpus;
  for (const auto& interrupt : interrupts) {
    if (!parse_unsigned(interrupt)) continue;
    const auto list = root.read_line("/proc/irq/" + interrupt + "/smp_affinity_list");
    if (!list) continue;
    for (const int cpu : numbers_of_list(*list)) cpus.insert(cpu);
  }
  if (cpus.empty()) return std::nullopt;
  return to_list({cpus.begin(), cpus.end()});
}

}  // namespace

void add_queues(const SysRoot& root, const std::string& folder, model::Interface& facts) {
  const auto queues = root.list(folder + "/queues");
  facts.rx_queues = count(queues, "rx-");
  facts.tx_queues = count(queues, "tx-");
  if (!facts.pci_address) return;
  // A virtio device has its interrupts one level up, at its PCI device.
  facts.irq_cpus = irq_cpus(root, folder + "/device");
  if (!facts.irq_cpus)
    facts.irq_cpus = irq_cpus(root, "/sys/bus/pci/devices/" + *facts.pci_address);
}

}  // namespace ringwise::system
