// The functions behind the rows of registry.cc, one file each in this folder.
#pragma once

#include <string>
#include <vector>

#include "model/advice.h"
#include "recommend/evidence.h"

namespace ringwise::recommend {

[[nodiscard]] std::vector<model::Advice> advise_socket_ifname(const Evidence& evidence);
[[nodiscard]] std::vector<model::Advice> advise_socket_streams(const Evidence& evidence);
[[nodiscard]] std::vector<model::Advice> advise_ib_disable(const Evidence& evidence);
[[nodiscard]] std::vector<model::Advice> advise_pod_network(const Evidence& evidence);
[[nodiscard]] std::vector<model::Advice> advise_shm_size(const Evidence& evidence);
[[nodiscard]] std::vector<model::Advice> advise_pod_resources(const Evidence& evidence);
[[nodiscard]] std::vector<model::Advice> advise_pod_security(const Evidence& evidence);
[[nodiscard]] std::vector<model::Advice> advise_vendor_profile(const Evidence& evidence);

/// "Leave `name` unset": `reason` says why, or what is missing.
[[nodiscard]] model::Advice unset(std::string id, std::string name, std::string where,
                                  std::string reason);
/// The same with "not enough evidence: " before the reason.
[[nodiscard]] model::Advice not_enough(std::string id, std::string name, std::string where,
                                       std::string reason);

}  // namespace ringwise::recommend
