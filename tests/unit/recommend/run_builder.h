// InputRun records for the tests of advice, made of what a test needs to say only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/advice.h"
#include "recommend/evidence.h"

namespace ringwise::recommend::test {

/// An interface that is up and has 10.0.`net`.`host` as its address.
[[nodiscard]] model::Interface interface_of(const std::string& name, int index, int net, int host);

/// A host with `interfaces` in kernel order (loopback is added in front).
[[nodiscard]] model::Host host_of(const std::string& name, int number,
                                  const std::vector<std::string>& interfaces);

struct Wire {
  double us = 100000;  ///< time of 16 MiB; other sizes in proportion
  double spread = 0.001;
  std::optional<int> threads = 0;
  std::optional<int> sockets = 1;
  std::string interface = "eth0";
  std::optional<std::string> settings_name = {};
  std::map<std::string, std::string> settings = {};
  int blocks = 6;
};

/// A usable tcp-allreduce wire result with sizes of 1, 4 and 16 MiB.
[[nodiscard]] model::Result wire(const Wire& wire);

/// A complete record of one rank on each host, measured over `measured` (by host, in order).
[[nodiscard]] InputRun run_of(const std::vector<model::Host>& hosts,
                              const std::vector<std::vector<std::string>>& measured,
                              const std::vector<model::Result>& results,
                              const std::string& mode = "host");

/// Two hosts with eth0 and docker0, measured over eth0.
[[nodiscard]] InputRun simple_run(const std::vector<model::Result>& results,
                                  const std::string& mode = "host");

/// The advice of this name; fails the test when there is none.
[[nodiscard]] model::Advice advice_named(const std::vector<model::Advice>& advice,
                                         const std::string& name);

}  // namespace ringwise::recommend::test
