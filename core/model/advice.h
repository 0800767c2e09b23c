// Advice: a setting or a piece of a pod spec, with the measurement that justifies it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringwise::model {

enum class AdviceState {
  kRequired,   ///< follows from facts, not from speed: without it the job takes a wrong path
  kPredicted,  ///< from measurements, not yet tried as a whole
  kConfirmed,  ///< a --settings trial measured the gain
  kDropped,    ///< a --settings trial measured a loss or no gain: listed, not written
  kUnset,      ///< NCCL's default is right: leave it alone
};

struct Advice {
  std::string id;  ///< slug of the advice row, for example "socket-ifname"
  AdviceState state = AdviceState::kPredicted;
  std::string name;                  ///< "NCCL_SOCKET_IFNAME", or a pod field "spec.hostNetwork"
  std::optional<std::string> value;  ///< absent = leave unset
  std::string where;                 ///< "env", "pod", "host" or "fabric"
  /// Per host, when one value cannot fit all: host name to value.
  std::map<std::string, std::string> per_host;
  std::string reason;         ///< with the measured numbers and their units
  std::string nccl_versions;  ///< "all", "2.28.3 and later", ...
  std::string verify;         ///< how to see that it took effect
  std::string undo;
  std::optional<std::string> cost;  ///< what it gives up
  /// What was measured beside it and not taken, one sentence each: its rate and what it would cost.
  std::vector<std::string> alternatives;
  std::optional<double> factor;  ///< trial: busbw with the setting over default
  std::optional<double> factor_low;
  std::optional<double> factor_high;
  std::vector<std::string> evidence;  ///< keys into the record: "results[3].sizes[5]"
};

[[nodiscard]] const char* to_text(AdviceState state);

}  // namespace ringwise::model
