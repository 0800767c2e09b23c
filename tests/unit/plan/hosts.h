// Interfaces for the tests of the interface choice.
#pragma once

#include <string>
#include <vector>

#include "model/host.h"
#include "plan/nccl_interfaces.h"

namespace ringwise::plan {

/// "10.0.0.1/24" or "fe80::1/64" as a model address.
inline model::Address address(const std::string& text) {
  const auto slash = text.find('/');
  model::Address out;
  out.address = text.substr(0, slash);
  out.prefix_length = std::stoi(text.substr(slash + 1));
  out.family = out.address.find(':') == std::string::npos ? "inet" : "inet6";
  out.scope = out.address.starts_with("fe80:") ? "link" : "global";
  return out;
}

/// An interface with a link.
inline model::Interface interface(const std::string& name,
                                  const std::vector<std::string>& addresses) {
  model::Interface out;
  out.name = name;
  out.is_up = true;
  out.is_running = true;
  for (const auto& text : addresses) out.addresses.push_back(address(text));
  return out;
}

inline model::Interface loopback() {
  auto out = interface("lo", {"127.0.0.1/8", "::1/128"});
  out.is_loopback = true;
  return out;
}

inline model::Interface without_link(model::Interface out) {
  out.is_running = false;
  return out;
}

/// "eth0 10.0.0.1, eth1 fd00::1".
inline std::string chosen(const SelectionResult& result) {
  std::string text;
  for (const auto& one : result.chosen) {
    text += (text.empty() ? "" : ", ") + one.name + " " + one.address;
  }
  return text;
}

}  // namespace ringwise::plan
