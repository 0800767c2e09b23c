// One stage: what a worker is told to measure, and what it measures with.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "comm/communicator.h"
#include "model/record.h"

namespace ringwise::probe {

/// What the supervisors agreed on. The same on every rank but for `rank`. Sent to the worker as
/// JSON (stage_json.h).
struct StageSpec {
  std::string probe;  ///< name of a row of registry.h
  int rank = 0;
  int ranks = 1;
  std::vector<std::string> hosts;  ///< host of each rank
  std::string token;               ///< 32 hexadecimal digits; every data connection carries it
  std::uint64_t seed = 0;          ///< of random orders; the same on all ranks

  std::vector<std::uint64_t> sizes;  ///< bytes of one operation, ascending
  std::vector<int> channels;         ///< empty = as NCCL would; several = sweep
  std::vector<int> threads;          ///< helper threads; empty = as NCCL would
  std::vector<int> sockets;          ///< per helper thread; empty = as NCCL would
  int first_block = 0;               ///< number of the first block that this worker measures
  int blocks = 6;

  std::optional<std::string> interface;         ///< --interface; absent = as NCCL would choose
  std::vector<std::string> each_interface;      ///< --each-interface; measured in turn
  std::optional<std::string> mode;              ///< label for the results
  std::string settings_name = "default";        ///< which set of a --settings trial
  std::map<std::string, std::string> settings;  ///< already in the worker's environment

  double budget_s = 10;   ///< measuring time this stage aims at
  double timeout_s = 20;  ///< the supervisor kills the worker then
  double stall_s = 5;     ///< a data connection without progress for so long has failed
  bool on_busy_fabric = false;
  std::optional<std::string> corrupt;  ///< test hook: see docs/testing.md
};

/// One local end that a stage measures over.
struct LocalEnd {
  std::string interface;
  std::string address;  ///< numeric, without scope id
};

/// What a probe works with. The functions may be called from the worker's main thread only.
struct StageContext {
  const StageSpec& spec;
  comm::Communicator& comm;
  base::Deadline deadline;  ///< of the whole stage
  /// Says what is being done now, for example "connect to rank 2 on node3": the last step that a
  /// hanging worker has said stands in the record.
  std::function<void(std::string_view)> step;
  /// 0 to 1, and what is measured now; shown to the person who waits.
  std::function<void(double, std::string_view)> progress;
  /// Filled by the probe: when something fails between ranks, these are looked at first.
  std::vector<LocalEnd> ends = {};
};

}  // namespace ringwise::probe
