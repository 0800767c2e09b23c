#include <cstdlib>

#include "base/units.h"
#include "comm/control_plane.h"

namespace ringwise::comm {
namespace {

std::optional<int> number_of(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const auto value = base::parse_int(text);
  if (!value || *value < 1 || *value > 10'000'000) return std::nullopt;
  return static_cast<int>(*value);
}

}  // namespace

std::string detect_launcher() {
  if (std::getenv("OMPI_COMM_WORLD_RANK") != nullptr) return "openmpi";
  if (std::getenv("SLURM_PROCID") != nullptr) return "slurm";
  if (std::getenv("PMI_RANK") != nullptr) return "mpich";
  if (std::getenv("PMIX_RANK") != nullptr) return "pmix";
  return "none";
}

std::optional<int> launcher_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}) {
    if (const auto value = number_of(name)) return value;
  }
  return std::nullopt;
}

std::optional<int> launcher_nodes() {
  for (const char* name : {"SLURM_NNODES", "OMPI_MCA_orte_num_nodes"}) {
    if (const auto value = number_of(name)) return value;
  }
  return std::nullopt;
}

}  // namespace ringwise::comm
