#include "recommend/evidence.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "model/mode_label.h"
#include "plan/usable.h"
#include "recommend/choose_mode.h"

namespace ringwise::recommend {
namespace {

using model::Result;
using model::Status;

constexpr const char* kNoMode = "no measured mode is what the job asks for";

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

/// The mode of a result, or nothing where its name says no mode.
std::string known_mode(const model::RunRecord& record, const Result& result) {
  auto mode = mode_of(record, result);
  return kind_of(mode) == nullptr ? std::string() : mode;
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
    usable.push_back(
        {.result = &result, .run = run, .key = key, .mode = known_mode(record, result)});
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

/// The modes that a run measured: of its results, and of itself where it has none that says one.
std::set<std::string> modes_in(const model::RunRecord& record) {
  std::set<std::string> modes;
  for (const auto& result : record.results) {
    if (result.probe == "tcp-allreduce" && result.nodes > 1) {
      modes.insert(known_mode(record, result));
    }
  }
  if (modes.empty()) {
    const auto mode = mode_of(record);
    modes.insert(kind_of(mode) == nullptr ? std::string() : mode);
  }
  return modes;
}

void add_measured(const std::string& mode, const model::RunRecord& record,
                  std::vector<MeasuredMode>& measured) {
  const auto known = std::find_if(measured.begin(), measured.end(),
                                  [&](const auto& one) { return one.mode == mode; });
  if (known == measured.end()) {
    measured.push_back({.mode = mode, .runs = {&record}});
  } else {
    known->runs.push_back(&record);
  }
}

}  // namespace

Evidence gather(std::span<const InputRun> runs, const Constraints& constraints) {
  Evidence evidence;
  evidence.constraints = constraints;
  std::vector<Usable> usable;
  std::vector<MeasuredMode> measured;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto& record = runs[run].record;
    if (!record.complete) evidence.incomplete.push_back(why_incomplete(runs[run]));
    sort_out(runs, run, evidence, usable);
    add_failed_sets(runs, run, evidence);
    if (!record.complete) continue;
    for (const auto& mode : modes_in(record)) add_measured(mode, record, measured);
    // Of a run over several interfaces the label can be right for one of them only.
    const auto text = model::label_contradiction(record.mode);
    if (text && modes_in(record).size() == 1) {
      evidence.mode_notes.push_back(base::printable(runs[run].name) + ": " + *text +
                                    ", which is what counts");
    }
  }
  auto choice = choose_mode(usable, measured, constraints);
  evidence.mode = std::move(choice.mode);
  evidence.mode_alternatives = std::move(choice.alternatives);
  std::move(choice.notes.begin(), choice.notes.end(), std::back_inserter(evidence.mode_notes));
  evidence.why_not = "the record is not complete";
  if (!choice.reason.empty()) {
    evidence.why_not = kNoMode;
    evidence.why_no_mode = std::move(choice.reason);
    return evidence;
  }
  for (auto& result : usable) {
    if (result.mode == evidence.mode) evidence.results.push_back(std::move(result));
  }
  for (const auto& run : runs) {
    const bool is_chosen = modes_in(run.record).contains(evidence.mode);
    const bool is_only = runs.size() == 1;
    if (!run.record.complete || !(is_chosen || is_only)) continue;
    evidence.is_complete = true;
    add_places(run.record, evidence);
  }
  if (evidence.is_complete) evidence.why_not.clear();
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
