// Which interfaces were measured on which host, and what NCCL would choose there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "recommend/evidence.h"

namespace ringwise::recommend {

struct MeasuredPath {
  /// Interfaces used together, by host, in the order of use.
  std::map<std::string, std::vector<std::string>> by_host;
  std::string label;                ///< for people: "eth0", "eth0 and ens5"
  std::vector<std::string> choice;  ///< why this one, when several were measured in turn
  const Usable* best = nullptr;     ///< its wire result (else its reduce result), untuned
  std::string key;                  ///< of `best`
};

/// Path or reason why there is none, in words.
struct PathOrReason {
  std::optional<MeasuredPath> path;
  std::string reason;
};

/// The interfaces of the untuned tcp-allreduce results. When several were measured in turn: the
/// one that is faster than what NCCL would choose by itself beyond its interval and 3 %, else
/// NCCL's own choice, else the first.
[[nodiscard]] PathOrReason measured_path(const Evidence& evidence);

/// What NCCL's automatic rule picks on this host, the same for every version that the job may
/// use; empty when the versions differ or nothing can be picked.
[[nodiscard]] std::vector<std::string> automatic_choice(const model::Host& host);

/// What NCCL picks on this host with NCCL_SOCKET_IFNAME=`value`; empty when nothing.
[[nodiscard]] std::vector<std::string> choice_with(const model::Host& host,
                                                   const std::string& value);

/// "0.119 GB/s (0.118 to 0.120) busbw at 64 MiB": the rate at the largest usable size.
[[nodiscard]] std::string rate_text(const Usable& usable);

/// The largest usable size of a result; null when there is none.
[[nodiscard]] const model::SizeResult* largest_usable(const model::Result& result);

}  // namespace ringwise::recommend
