// What of the records advice may be drawn from, and what not and why.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.h"

namespace ringwise::recommend {

/// A run record and where it came from.
struct InputRun {
  std::string name;
  model::RunRecord record;
};

struct Usable {
  const model::Result* result = nullptr;
  std::size_t run = 0;
  std::string key;   ///< "results[3]", "runs[1].results[3]" when there are several runs
  std::string mode;  ///< family: "host", "overlay", "multus"; empty when not known
};

struct Rejected {
  std::string key;
  std::string what;              ///< "tcp-allreduce wire, eth0"
  std::string reason;            ///< in words
  bool is_inconclusive = false;  ///< noise or too few blocks: measuring again may help
};

/// A failed set of a --settings trial whose default worked: nothing may be drawn from it but that
/// it failed. `settings` are the variables that no set which worked holds.
struct FailedSet {
  std::string name;
  std::map<std::string, std::string> settings;
  std::string reason;
  std::string key;
};

/// Points into the runs it was made from.
struct Evidence {
  std::vector<Usable> results;     ///< of the chosen mode, in the order of the records
  std::vector<Rejected> rejected;  ///< of all modes; skipped results are no evidence at all
  std::vector<FailedSet> failed_sets;
  std::vector<std::string> incomplete;    ///< names of the runs that are not complete, with why
  bool is_complete = false;               ///< at least one run of the chosen mode is complete
  std::vector<const model::Host*> hosts;  ///< each host once, the latest run's view of it
  std::map<std::string, const model::Rank*> ranks;  ///< first rank of each host
  int nodes = 0;                                    ///< distinct hosts
  int ranks_per_node = 0;                           ///< the most on one host
  std::string mode;                                 ///< family of the chosen mode; empty: not known
  std::optional<std::string> mode_name;             ///< as labelled or detected: "multus-macvlan"
  std::vector<std::string> mode_notes;  ///< how the mode was chosen, when there were several
};

/// "host", "overlay" or "multus" for any label or detected name that begins so; else empty.
[[nodiscard]] std::string mode_family(std::string_view name);

/// `runs` must outlive the result. With several modes the cheapest is chosen whose gain over the
/// next cheaper one is beyond its interval (secondary networks: and 3 %; hostNetwork: and 10 %).
[[nodiscard]] Evidence gather(std::span<const InputRun> runs);

/// Usable results of `probe` and `variant` that were measured with NCCL's own settings.
[[nodiscard]] std::vector<const Usable*> untuned(const Evidence& evidence, std::string_view probe,
                                                 std::string_view variant);

}  // namespace ringwise::recommend
