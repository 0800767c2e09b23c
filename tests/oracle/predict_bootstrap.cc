// Prints what ringwise expects NCCL to bootstrap over here and under this environment, in NCCL's
// own form ("eth0:10.0.0.1", "eth0:fe80::1%eth0") or "none".
// Usage: predict_bootstrap NCCL_VERSION
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "plan/nccl_interfaces.h"
#include "system/interfaces.h"

namespace {

std::string shown(const ringwise::plan::ChosenInterface& chosen) {
  std::string text = chosen.label.value_or(chosen.name) + ":" + chosen.address;
  if (chosen.family == "inet6" && chosen.scope == "link") text += "%" + chosen.name;
  return text;
}

ringwise::plan::Environment environment() {
  ringwise::plan::Environment out;
  for (const char* name : {"NCCL_SOCKET_IFNAME", "NCCL_SOCKET_FAMILY", "NCCL_COMM_ID"}) {
    if (const char* value = std::getenv(name)) out[name] = value;
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    std::vector<std::string> problems;
    const auto interfaces =
        ringwise::system::read_interfaces(ringwise::system::SysRoot(), problems);
    const auto result = ringwise::plan::select_bootstrap(
        interfaces, ringwise::plan::selection_env(environment(), argv[1]));
    std::printf("%s\n", result.chosen.empty() ? "none" : shown(result.chosen.front()).c_str());
    std::printf("%s\n", result.chosen.empty() ? result.error.c_str() : result.rule.c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
