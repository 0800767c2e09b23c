#include "knowledge/link_rates.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "knowledge/embedded.h"

namespace ringwise::knowledge {

LinkRates LinkRates::load() {
  Data data;
  try {
    const auto file = nlohmann::json::parse(links_json());
    data.local = file.at("local");
    for (const auto& row : file.at("nvlink")) {
      data.nvlink.emplace_back(row.at("compute_capability"), row.at("gbyte_per_s"));
    }
    data.pcie_default = file.at("pcie_default");
    const double units = file.at("pcie_units_per_gbyte_per_s");
    for (const auto& row : file.at("pcie_lane_units")) {
      data.pcie_lane.emplace_back(row.at("gt_per_s"), row.at("units").get<double>() / units);
    }
    for (const auto& row : file.at("cpu")) {
      data.cpu.push_back({row.at("vendor"), row.at("model"), row.at("gbyte_per_s")});
    }
    data.nic_mbit_per_s = file.at("nic_mbit_per_s_per_gbyte_per_s");
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::kInternal, std::string("links.json: ") + error.what());
  }
  return LinkRates(std::move(data));
}

double LinkRates::nvlink(int compute_capability) const {
  constexpr int kSm80 = 80;  // what NCCL takes for GPUs older than those listed
  constexpr int kSm86 = 86;  // a row for this one only, not for what follows
  const auto rate_of_row = [&](int wanted) {
    double rate = 0;
    for (const auto& [row, gbyte_per_s] : data_.nvlink) {
      if (row <= wanted && (row != kSm86 || wanted == kSm86)) rate = gbyte_per_s;
    }
    return rate;
  };
  const double rate = rate_of_row(compute_capability);
  return rate > 0 ? rate : rate_of_row(kSm80);
}

std::optional<double> LinkRates::pcie(double gt_per_s, int lanes) const {
  for (const auto& [speed, lane] : data_.pcie_lane) {
    if (speed == gt_per_s) return lane * lanes;
  }
  return std::nullopt;
}

std::optional<double> LinkRates::cpu(std::string_view vendor, std::string_view model) const {
  for (const auto& row : data_.cpu) {
    if (row.vendor == vendor && row.model == model) return row.gbyte_per_s;
  }
  return std::nullopt;
}

double LinkRates::nic(std::int64_t mbit_per_s) const {
  return static_cast<double>(mbit_per_s) / data_.nic_mbit_per_s;
}

}  // namespace ringwise::knowledge
