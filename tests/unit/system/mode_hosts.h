// Invented hosts for the tests of network modes.
#pragma once

#include <cstdint>
#include <string>

#include "model/host.h"

namespace ringwise::system {

/// Adds an interface that is up and has an address; the reference holds until the next one.
inline model::Interface& add_interface(model::Host& host, const std::string& name,
                                       const std::string& kind, std::int64_t mtu = 1500) {
  model::Interface interface;
  interface.name = name;
  interface.index = static_cast<int>(host.interfaces.size()) + 1;
  interface.kind = kind;
  interface.is_up = true;
  interface.mtu = mtu;
  interface.addresses = {
      {.family = "inet", .address = "192.0.2.1", .prefix_length = 24, .scope = "global"}};
  host.interfaces.push_back(interface);
  return host.interfaces.back();
}

inline model::PodNetwork network(const std::string& name, const std::string& interface,
                                 const std::string& source = "multus") {
  model::PodNetwork result;
  result.name = name;
  result.interface = interface;
  result.source = source;
  return result;
}

inline model::PodNetwork default_network(const std::string& name, const std::string& interface,
                                         const std::string& source = "multus") {
  auto result = network(name, interface, source);
  result.is_default = true;
  return result;
}

/// eth0, its default route, is a veth whose peer is in another namespace; routes are known.
inline model::Host pod_with_veth(std::int64_t mtu) {
  model::Host host;
  auto& eth0 = add_interface(host, "eth0", "veth", mtu);
  eth0.lower_index = 9;
  eth0.lower_namespace = 0;
  host.default_interface = "eth0";
  host.are_routes_known = true;
  return host;
}

/// eth0, its default route, is a device of the machine.
inline model::Host machine_with_nic() {
  model::Host host;
  auto& eth0 = add_interface(host, "eth0", "");
  eth0.driver = "mlx5_core";
  eth0.pci_address = "0000:17:00.0";
  host.default_interface = "eth0";
  host.are_routes_known = true;
  return host;
}

}  // namespace ringwise::system
