// `ringwise recommend`: settings and a pod spec from run records.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/commands/command.h"

namespace ringwise::app {

struct RecommendOptions {
  std::vector<std::string> runs;
  std::string directory = "ringwise-out";
  std::string format = "text";
  std::vector<std::string> needs;  ///< --needs: "rdma", "network-policy"
  std::string pod_security;        ///< --pod-security; empty = not said
  std::string provider;            ///< --provider; empty = not said
  std::optional<int> ssh_port;     ///< --ssh-port
};

Outcome run_recommend(std::span<const std::string> args);

}  // namespace ringwise::app
