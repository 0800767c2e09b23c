#include "recommend/trial.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/units.h"
#include "plan/ring_variables.h"

namespace ringwise::recommend {
namespace {

using Settings = std::map<std::string, std::string>;

struct MeasuredSet {
  const Usable* usable = nullptr;
  std::string name;
  Settings variables;  ///< those that the ring acts on
  std::optional<plan::Gain> over_default;

  [[nodiscard]] const Settings& settings() const { return variables; }
};

/// The sets of one run, each compared with that run's default.
struct Trial {
  const Usable* base = nullptr;
  std::vector<MeasuredSet> sets;
};

Settings tried_of(Settings settings) {
  std::erase_if(settings, [](const auto& entry) { return !plan::is_ring_variable(entry.first); });
  return settings;
}

std::vector<Trial> trials_of(const Evidence& evidence) {
  std::map<std::size_t, Trial> by_run;
  for (const auto& usable : evidence.results) {
    const auto& result = *usable.result;
    if (result.probe != "tcp-allreduce" || result.variant != "wire" || !result.settings_name) {
      continue;
    }
    auto& trial = by_run[usable.run];
    if (result.settings.empty()) {
      if (trial.base == nullptr) trial.base = &usable;
      continue;
    }
    // Without any it is one more measurement of the default.
    auto tried = tried_of(result.settings);
    const bool is_known = std::any_of(trial.sets.begin(), trial.sets.end(),
                                      [&](const auto& set) { return set.settings() == tried; });
    if (tried.empty() || is_known) continue;
    trial.sets.push_back(
        {&usable, base::printable(*result.settings_name), std::move(tried), std::nullopt});
  }
  std::vector<Trial> trials;
  for (auto& [run, trial] : by_run) {
    if (trial.base == nullptr || trial.sets.empty()) continue;
    for (auto& set : trial.sets) {
      set.over_default = plan::large_gain(*set.usable->result, *trial.base->result);
    }
    trials.push_back(std::move(trial));
  }
  return trials;
}

Settings without(Settings settings, const std::string& name) {
  settings.erase(name);
  return settings;
}

const MeasuredSet* find(const Trial& trial, const Settings& settings) {
  const auto set = std::find_if(trial.sets.begin(), trial.sets.end(),
                                [&](const auto& one) { return one.settings() == settings; });
  return set == trial.sets.end() ? nullptr : &*set;
}

/// A set that another one holds with one variable more is there to be compared with that one.
bool is_part(const Trial& trial, const MeasuredSet& set) {
  return std::any_of(trial.sets.begin(), trial.sets.end(), [&](const auto& other) {
    if (other.settings().size() != set.settings().size() + 1) return false;
    return std::any_of(other.settings().begin(), other.settings().end(), [&](const auto& entry) {
      return without(other.settings(), entry.first) == set.settings();
    });
  });
}

/// The first measured set that holds name=value and beats the default.
const MeasuredSet* winner_with(const Trial& trial, const std::string& name,
                               const std::string& value) {
  const auto set = std::find_if(trial.sets.begin(), trial.sets.end(), [&](const auto& one) {
    const auto entry = one.settings().find(name);
    return entry != one.settings().end() && entry->second == value && one.over_default &&
           one.over_default->is_faster();
  });
  return set == trial.sets.end() ? nullptr : &*set;
}

std::string whole_text(const MeasuredSet& set) {
  return fmt::format("{} moves {} of what the default moves", set.name, set.over_default->text());
}

Outcome outcome_of(const plan::Gain& gain) {
  if (gain.is_slower()) return Outcome::kLoss;
  if (gain.is_faster()) return Outcome::kGain;
  return gain.high < plan::kLeastGain ? Outcome::kNoGain : Outcome::kInconclusive;
}

/// The set is all that is known about the variable.
Verdict by_set(const MeasuredSet& set, Verdict verdict) {
  verdict.gain = set.over_default;
  verdict.outcome = outcome_of(*set.over_default);
  verdict.reason = whole_text(set);
  if (set.settings().size() > 1) {
    verdict.reason +=
        fmt::format("; its {} variables were tried together only", set.settings().size());
  }
  return verdict;
}

/// What the variable adds to the rest of its set.
Verdict by_leaving_out(const Trial& trial, const MeasuredSet& set, const MeasuredSet& rest,
                       Verdict verdict) {
  const auto own = plan::large_gain(*set.usable->result, *rest.usable->result);
  verdict.evidence.push_back(rest.usable->key);
  if (!own) {
    verdict.reason =
        fmt::format("no size of 1 MiB or more can be used in both {} and {}", set.name, rest.name);
    return verdict;
  }
  verdict.gain = own;
  verdict.reason =
      fmt::format("with it {} moves {} of what it moves without", set.name, own->text());
  verdict.outcome = outcome_of(*own);
  const auto* winner = winner_with(trial, verdict.name, verdict.value);
  if (verdict.outcome == Outcome::kGain && winner == nullptr) {
    verdict.outcome = Outcome::kNoGain;
    verdict.reason += ", but no set that holds it beats the default";
  }
  const auto& shown = winner != nullptr ? *winner : set;
  if (shown.over_default) verdict.reason += "; " + whole_text(shown);
  return verdict;
}

Verdict judge(const Trial& trial, const MeasuredSet& set, const std::string& name) {
  Verdict verdict;
  verdict.name = name;
  verdict.value = set.settings().at(name);
  verdict.evidence = {set.usable->key, trial.base->key};
  if (!set.over_default) {
    verdict.reason =
        fmt::format("no size of 1 MiB or more can be used in both {} and the default", set.name);
    return verdict;
  }
  const auto* rest = find(trial, without(set.settings(), name));
  if (set.settings().size() == 1 || rest == nullptr) return by_set(set, std::move(verdict));
  return by_leaving_out(trial, set, *rest, std::move(verdict));
}

void add_failed(const Evidence& evidence, std::vector<Verdict>& verdicts) {
  for (const auto& set : evidence.failed_sets) {
    for (const auto& [name, value] : tried_of(set.settings)) {
      const bool is_known = std::any_of(verdicts.begin(), verdicts.end(), [&](const auto& other) {
        return other.name == name && other.value == value;
      });
      if (is_known) continue;
      verdicts.push_back({.name = name,
                          .value = value,
                          .outcome = Outcome::kLoss,
                          .gain = {},
                          .reason = fmt::format("{} failed: {}", base::printable(set.name),
                                                base::printable(set.reason)),
                          .evidence = {set.key}});
    }
  }
}

/// Where --interface names what the default uses, the choice of the interface was not on trial.
bool changes_nothing(const Trial& trial, const MeasuredSet& set, const std::string& name) {
  return name == "NCCL_SOCKET_IFNAME" &&
         set.usable->result->interface == trial.base->result->interface;
}

bool is_same_value(const model::Advice& advice, const Verdict& verdict) {
  if (advice.value == verdict.value) return true;
  return std::any_of(advice.per_host.begin(), advice.per_host.end(),
                     [&](const auto& entry) { return entry.second == verdict.value; });
}

void put_on(model::Advice& advice, const Verdict& verdict) {
  advice.reason = advice.reason.empty()
                      ? "tried: " + verdict.reason
                      : fmt::format("{}. Tried: {}", advice.reason, verdict.reason);
  if (verdict.gain) {
    advice.factor = verdict.gain->factor;
    advice.factor_low = verdict.gain->low;
    advice.factor_high = verdict.gain->high;
  }
  advice.evidence.insert(advice.evidence.end(), verdict.evidence.begin(), verdict.evidence.end());
  const bool is_required = advice.state == model::AdviceState::kRequired;
  switch (verdict.outcome) {
    case Outcome::kGain:
      if (!is_required) advice.state = model::AdviceState::kConfirmed;
      break;
    case Outcome::kLoss:
      advice.state = model::AdviceState::kDropped;
      break;
    case Outcome::kNoGain:
      if (!is_required) advice.state = model::AdviceState::kDropped;
      break;
    case Outcome::kInconclusive:
      advice.reason += "; inconclusive: measure again with more blocks or time";
      break;
  }
}

/// Half of a pair would be another setting than the one that was measured.
void keep_pairs_whole(std::vector<model::Advice>& advices) {
  constexpr std::array<const char*, 2> kPair{"NCCL_SOCKET_NTHREADS", "NCCL_NSOCKS_PERTHREAD"};
  const auto is_predicted = [](const model::Advice& advice) {
    return advice.state == model::AdviceState::kPredicted && advice.id != "trial";
  };
  for (std::size_t i = 0; i < kPair.size(); ++i) {
    const std::string name = kPair[i];
    const std::string other = kPair[1 - i];
    const bool is_dropped = std::any_of(advices.begin(), advices.end(), [&](const auto& advice) {
      return advice.name == other && advice.state == model::AdviceState::kDropped &&
             advice.id != "trial";
    });
    for (auto& advice : advices) {
      if (!is_dropped || advice.name != name || !is_predicted(advice)) continue;
      advice.state = model::AdviceState::kDropped;
      advice.reason += fmt::format("; {}, which it was measured with, is dropped", other);
    }
  }
}

model::Advice from_trial(const Verdict& verdict) {
  model::Advice advice;
  advice.id = "trial";
  advice.state = model::AdviceState::kPredicted;
  advice.name = verdict.name;
  advice.value = verdict.value;
  advice.where = "env";
  advice.nccl_versions = "as in the trial";
  advice.verify = fmt::format(
      "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=ENV prints \"{} set by "
      "environment to {}\"",
      verdict.name, verdict.value);
  advice.undo = "unset " + verdict.name;
  put_on(advice, verdict);
  // Nothing but the trial speaks for it.
  if (verdict.outcome == Outcome::kInconclusive) advice.state = model::AdviceState::kDropped;
  return advice;
}

}  // namespace

std::vector<Verdict> judge_trial(const Evidence& evidence) {
  std::vector<Verdict> verdicts;
  for (const auto& trial : trials_of(evidence)) {
    for (const auto& set : trial.sets) {
      if (is_part(trial, set)) continue;
      for (const auto& [name, value] : set.settings()) {
        if (!changes_nothing(trial, set, name)) verdicts.push_back(judge(trial, set, name));
      }
    }
  }
  add_failed(evidence, verdicts);
  std::stable_sort(verdicts.begin(), verdicts.end(),
                   [](const auto& a, const auto& b) { return a.name < b.name; });
  return verdicts;
}

void note_untried(const Evidence& evidence, std::vector<model::Advice>& advices) {
  if (trials_of(evidence).empty() && evidence.failed_sets.empty()) return;
  for (auto& advice : advices) {
    const bool is_set = advice.value || !advice.per_host.empty();
    if (advice.where != "env" || !is_set || plan::is_ring_variable(advice.name)) continue;
    advice.reason += advice.reason.empty() ? "" : "; ";
    advice.reason += "not tried: tcp-allreduce does not act on it";
  }
}

std::vector<model::Advice> apply_verdicts(const std::vector<Verdict>& verdicts,
                                          std::vector<model::Advice> advices) {
  for (const auto& verdict : verdicts) {
    const auto known = std::find_if(advices.begin(), advices.end(), [&](const auto& advice) {
      return advice.name == verdict.name && is_same_value(advice, verdict);
    });
    if (known != advices.end()) {
      put_on(*known, verdict);
      continue;
    }
    if (verdict.outcome == Outcome::kGain) {
      // It stands in for a "leave unset" or another value of the same variable.
      std::erase_if(advices, [&](const auto& advice) {
        return advice.name == verdict.name && advice.state != model::AdviceState::kRequired &&
               advice.state != model::AdviceState::kConfirmed;
      });
    } else {
      // "Not measured" no longer holds.
      std::erase_if(advices, [&](const auto& advice) {
        return advice.name == verdict.name && advice.state == model::AdviceState::kUnset &&
               advice.evidence.empty();
      });
    }
    advices.push_back(from_trial(verdict));
  }
  keep_pairs_whole(advices);
  return advices;
}

}  // namespace ringwise::recommend
