#include "recommend/evidence.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/usable.h"
#include "recommend/choose_mode.h"

namespace ringwise::recommend {
namespace {

using model::Result;
using model::Status;

std::string describe(const Result& result) {
  std::string text = result.probe;
  if (result.variant) text += " " + *result.variant;
  if (result.settings_name) text += " [" + *result.settings_name + "]";
  if (result.interface) text += ", " + *result.interface;
  return base::printable(text);
}

std::string key_of(std::span<const InputRun> runs, std::size_t run, std::size_t result) {
  const auto key = fmt::format("results[{}]", result);
  return runs.size() == 1 ? key : fmt::format("runs[{}].{}", run, key);
}

const std::optional<std::string>& mode_of(const model::RunRecord& record) {
  return record.mode.label ? record.mode.label : record.mode.detected;
}

void sort_out(std::span<const InputRun> runs, std::size_t run, Evidence& evidence,
              std::vector<Usable>& usable) {
  const auto& record = runs[run].record;
  for (std::size_t i = 0; i < record.results.size(); ++i) {
    const auto& result = record.results[i];
    if (result.status == Status::kSkipped) continue;
    const auto key = key_of(runs, run, i);
    if (!record.complete) continue;
    if (const auto why = plan::unfit(result)) {
      evidence.rejected.push_back({.key = key,
                                   .what = describe(result),
                                   .reason = why->reason,
                                   .is_inconclusive = why->is_inconclusive});
      continue;
    }
    const auto mode = result.mode ? result.mode : mode_of(record);
    usable.push_back(
        {.result = &result, .run = run, .key = key, .mode = mode_family(mode.value_or(""))});
  }
}

/// Failed sets of a trial whose default did not fail, with the variables that no set which worked
/// holds.
void add_failed_sets(std::span<const InputRun> runs, std::size_t run, Evidence& evidence) {
  const auto& results = runs[run].record.results;
  const auto works = [&](const Result& failed, const auto& has) {
    return std::any_of(results.begin(), results.end(), [&](const Result& other) {
      return other.status == Status::kOk && other.probe == failed.probe && has(other.settings);
    });
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& failed = results[i];
    if (failed.status != Status::kFailed || failed.settings.empty()) continue;
    if (!works(failed, [](const auto& settings) { return settings.empty(); })) continue;
    FailedSet set{.name = failed.settings_name.value_or("a set"),
                  .settings = failed.settings,
                  .reason = failed.reason.value_or("no reason was recorded"),
                  .key = key_of(runs, run, i)};
    std::erase_if(set.settings, [&](const auto& entry) {
      return works(failed, [&](const auto& settings) {
        const auto same = settings.find(entry.first);
        return same != settings.end() && same->second == entry.second;
      });
    });
    if (!set.settings.empty()) evidence.failed_sets.push_back(std::move(set));
  }
}

/// Hosts and ranks of the runs of the chosen mode; a later run's view replaces an earlier one's.
void add_places(const model::RunRecord& record, Evidence& evidence) {
  for (const auto& host : record.hosts) {
    const auto known = std::find_if(evidence.hosts.begin(), evidence.hosts.end(),
                                    [&](const auto* other) { return other->host == host.host; });
    if (known == evidence.hosts.end()) {
      evidence.hosts.push_back(&host);
    } else {
      *known = &host;
    }
  }
  std::set<std::string> seen;
  for (const auto& rank : record.ranks) {
    if (seen.insert(rank.host).second) evidence.ranks[rank.host] = &rank;
  }
  for (const int ranks : record.launch.ranks_per_node) {
    evidence.ranks_per_node = std::max(evidence.ranks_per_node, ranks);
  }
}

std::string why_incomplete(const InputRun& run) {
  const auto& record = run.record;
  std::string why = "a rank or a stage is missing";
  for (const auto& result : record.results) {
    if (result.status == Status::kFailed) {
      why = describe(result) + " failed";
      if (result.reason) why += ": " + base::printable(*result.reason);
      break;
    }
  }
  return fmt::format("{}: {}", base::printable(run.name), why);
}

}  // namespace

std::string mode_family(std::string_view name) {
  for (const std::string_view family : {"host", "overlay", "multus"}) {
    if (name.starts_with(family)) return std::string(family);
  }
  return {};
}

Evidence gather(std::span<const InputRun> runs) {
  Evidence evidence;
  std::vector<Usable> usable;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (!runs[run].record.complete) evidence.incomplete.push_back(why_incomplete(runs[run]));
    sort_out(runs, run, evidence, usable);
    add_failed_sets(runs, run, evidence);
  }
  std::vector<std::string> measured;
  for (const auto& run : runs) {
    const auto family = mode_family(mode_of(run.record).value_or(""));
    if (run.record.complete) measured.push_back(family);
  }
  const auto choice = choose_mode(usable, measured);
  evidence.mode = choice.mode;
  evidence.mode_notes = choice.notes;
  for (auto& result : usable) {
    if (result.mode == evidence.mode) evidence.results.push_back(std::move(result));
  }
  for (const auto& run : runs) {
    const auto& name = mode_of(run.record);
    const bool is_chosen = mode_family(name.value_or("")) == evidence.mode;
    const bool is_only = runs.size() == 1;
    if (!run.record.complete || !(is_chosen || is_only)) continue;
    evidence.is_complete = true;
    if (is_chosen) evidence.mode_name = name;
    add_places(run.record, evidence);
  }
  evidence.nodes = static_cast<int>(evidence.hosts.size());
  return evidence;
}

std::vector<const Usable*> untuned(const Evidence& evidence, std::string_view probe,
                                   std::string_view variant) {
  std::vector<const Usable*> found;
  for (const auto& usable : evidence.results) {
    const auto& result = *usable.result;
    if (result.probe == probe && result.variant == variant && result.settings.empty()) {
      found.push_back(&usable);
    }
  }
  return found;
}

}  // namespace ringwise::recommend
