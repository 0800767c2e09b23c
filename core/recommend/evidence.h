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
#include "recommend/modes.h"

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
  std::string mode;  ///< "multus-macvlan"; empty when it is not known or no word for a mode
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
  std::vector<std::string> incomplete;  ///< names of the runs that are not complete, with why
  bool is_complete = false;             ///< at least one run of the chosen mode is complete
  std::string why_not;                  ///< in words, where nothing is complete; else empty
  std::string why_no_mode;  ///< what rules each measured mode out, where all are; else empty
  std::vector<const model::Host*> hosts;            ///< each host once, the latest run's view of it
  std::map<std::string, const model::Rank*> ranks;  ///< first rank of each host
  int nodes = 0;                                    ///< distinct hosts
  int ranks_per_node = 0;                           ///< the most on one host
  std::string mode;                     ///< the chosen one: "multus-macvlan"; empty: not known
  std::vector<std::string> mode_notes;  ///< how it was chosen, when there were several
  std::vector<std::string> mode_alternatives;  ///< the others, with what each would cost
  Constraints constraints;
};

/// `runs` must outlive the result. With several modes the cheapest is chosen that `constraints`
/// allow and whose gain over the next cheaper one is beyond its interval (choose_mode.h).
[[nodiscard]] Evidence gather(std::span<const InputRun> runs, const Constraints& constraints = {});

/// Usable results of `probe` and `variant` that were measured with NCCL's own settings.
[[nodiscard]] std::vector<const Usable*> untuned(const Evidence& evidence, std::string_view probe,
                                                 std::string_view variant);

}  // namespace ringwise::recommend
