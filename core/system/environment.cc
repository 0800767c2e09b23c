#include "system/environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/units.h"

namespace ringwise::system {
namespace {

constexpr std::size_t kValueLimit = 4096;

constexpr std::array<std::string_view, 6> kPrefixes{"NCCL_",      "UCX_",      "FI_",
                                                    "PCIDEVICE_", "RINGWISE_", "OMPI_MCA_"};
constexpr std::array<std::string_view, 4> kNames{"CUDA_VISIBLE_DEVICES", "OMPI_COMM_WORLD_RANK",
                                                 "OMPI_COMM_WORLD_SIZE",
                                                 "OMPI_COMM_WORLD_LOCAL_RANK"};
constexpr std::array<std::string_view, 10> kSecretWords{
    "TOKEN",    "TOKENS", "KEY",        "KEYS",        "SECRET",
    "PASSWORD", "PASSWD", "CREDENTIAL", "CREDENTIALS", "PASSPHRASE"};
/// Open MPI 4 hands its 128-bit transport key to the ranks in this one
/// (source: Open MPI 4.1 orte/util/pre_condition_transports.c).
constexpr std::string_view kTransportKey = "OMPI_MCA_orte_precondition_transports";

bool has_secret_word(std::string_view name) {
  std::string upper(name);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const auto parts = base::split(upper, '_');
  return std::ranges::find_first_of(parts, kSecretWords) != parts.end();
}

}  // namespace

bool may_record(std::string_view name) {
  const bool is_listed =
      std::ranges::find(kNames, name) != kNames.end() ||
      std::ranges::any_of(kPrefixes, [name](auto prefix) { return name.starts_with(prefix); });
  return is_listed && name != kTransportKey && !has_secret_word(name);
}

Environment recordable(const Environment& all) {
  Environment kept;
  for (const auto& [name, value] : all) {
    if (!may_record(name)) continue;
    kept[base::printable(name)] = base::printable(std::string_view(value).substr(0, kValueLimit));
  }
  return kept;
}

Environment process_environment() {
  Environment all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

}  // namespace ringwise::system
