// Bandwidth that NCCL's topology model gives to links, in GB/s (10^9 bytes), one direction.
// Source: NCCL 2.30.7 src/graph/topo.h and src/graph/topo.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringwise::knowledge {

class LinkRates {
 public:
  /// Reads the data that is compiled in.
  [[nodiscard]] static LinkRates load();

  /// Inside one device.
  [[nodiscard]] double local() const { return data_.local; }
  /// One NVLink of a GPU; `compute_capability` is 10 x major + minor (90 for sm90).
  [[nodiscard]] double nvlink(int compute_capability) const;
  /// A PCIe link of unknown speed.
  [[nodiscard]] double pcie_default() const { return data_.pcie_default; }
  /// Absent when `gt_per_s` is no speed of PCIe 1 to 6 (2.5, 5, 8, 16, 32, 64 GT/s).
  [[nodiscard]] std::optional<double> pcie(double gt_per_s, int lanes) const;
  /// Between two CPU packages. `vendor`: "intel", "amd", "arm", "power9", "zhaoxin"; `model`:
  /// "broadwell", "skylake", "sapphire-rapids", "emerald-rapids", "yongfeng", "kh50000", and ""
  /// for the others. Absent when not listed.
  [[nodiscard]] std::optional<double> cpu(std::string_view vendor, std::string_view model) const;
  [[nodiscard]] double nic(std::int64_t mbit_per_s) const;

 private:
  struct Cpu {
    std::string vendor;
    std::string model;
    double gbyte_per_s = 0;
  };
  struct Data {
    double local = 0;
    std::vector<std::pair<int, double>> nvlink;  ///< ascending compute capability
    double pcie_default = 0;
    std::vector<std::pair<double, double>> pcie_lane;  ///< GT/s to GB/s of one lane
    std::vector<Cpu> cpu;
    double nic_mbit_per_s = 0;  ///< that count as one GB/s
  };
  explicit LinkRates(Data data) : data_(std::move(data)) {}

  Data data_;
};

}  // namespace ringwise::knowledge
