#include "app/probe/stages.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "plan/blocks.h"
#include "probe/registry.h"
#include "probe/tcp_allreduce.h"

namespace ringwise::app {
namespace {

/// A stage measures at most this share of its time-out: the rest is for connecting and reporting.
constexpr double kShareOfTimeout = 0.6;
/// Of a sweep's, where no time-out is given: blocks that a busy machine has no time for leave its
/// settings without the interval that advice takes.
constexpr double kShareOfSweep = 0.4;
constexpr double kMpiWeight = 1.0;
/// Where no budget is given, each of several configurations gets so long: 6 blocks of 4 MiB then
/// fit on a path of 100 Mbit/s.
constexpr double kConfigurationS = 8;

double weight_of(const std::string& name) {
  const auto* row = probe::find_probe(name);
  return row == nullptr ? kMpiWeight : row->weight;
}

probe::StageSpec base_spec(const ProbeOptions& options, const World& world,
                           const std::string& name) {
  probe::StageSpec spec;
  spec.probe = name;
  spec.ranks = static_cast<int>(world.hosts.size());
  spec.hosts = world.hosts;
  spec.token = world.token;
  spec.seed = world.seed;
  spec.sizes = options.sizes;
  spec.channels = options.channels;
  spec.threads = options.threads;
  spec.sockets = options.sockets;
  spec.blocks = options.blocks;
  spec.interface = options.interface;
  spec.each_interface = options.each_interface;
  spec.mode = options.mode;
  spec.timeout_s = base::to_seconds(options.stage_timeout);
  spec.stall_s = stall_s(spec.timeout_s);
  spec.on_busy_fabric = options.on_busy_fabric;
  spec.corrupt = options.corrupt;
  return spec;
}

/// One worker a set and block, every set once in a block, in an order that changes.
void plan_trial(Stage& stage, const probe::StageSpec& spec, const std::vector<SettingsSet>& sets) {
  stage.sets = sets;
  for (int block = 0; block < spec.blocks; ++block) {
    for (const auto set : plan::block_order(sets.size(), block, spec.seed)) {
      probe::StageSpec run = spec;
      run.first_block = block;
      run.blocks = 1;
      run.settings_name = sets[set].name;
      run.settings = sets[set].values;
      run.budget_s = spec.budget_s / static_cast<double>(sets.size()) / spec.blocks;
      stage.runs.push_back(std::move(run));
      stage.set_of_run.push_back(static_cast<int>(set));
    }
  }
}

}  // namespace

double time_budget_s(const ProbeOptions& options, int nodes) {
  const double given = base::to_seconds(options.time_budget);
  if (options.is_time_budget_given || nodes <= 16) return given;
  return given + 20.0 * std::ceil(std::log2(nodes / 16.0));
}

double planned_s(const std::vector<Stage>& stages) {
  double sum = 0;
  for (const auto& stage : stages) {
    for (const auto& run : stage.runs) sum += run.budget_s;
  }
  return sum;
}

double stall_s(double stage_timeout_s) {
  return std::clamp(stage_timeout_s / 4, 0.5, 5.0);
}

std::vector<Stage> plan_stages(const ProbeOptions& options, const World& world,
                               const std::vector<SettingsSet>& sets) {
  double weights = 0;
  for (const auto& name : options.probes) weights += weight_of(name);
  const double budget_s = time_budget_s(options, world.nodes);
  std::vector<Stage> stages;
  for (const auto& name : options.probes) {
    Stage stage;
    stage.probe = name;
    probe::StageSpec spec = base_spec(options, world, name);
    spec.budget_s = budget_s * weight_of(name) / weights;
    if (name == kSettingsProbe && !sets.empty()) {
      plan_trial(stage, spec, sets);
    } else {
      const auto sweep = name == kSettingsProbe ? probe::configurations(spec) : 1;
      if (!options.is_time_budget_given && sweep > 1) {
        spec.budget_s = std::max(spec.budget_s, kConfigurationS * static_cast<double>(sweep));
      }
      const bool is_long = options.is_time_budget_given || sweep > 1;
      if (is_long && !options.is_stage_timeout_given) {
        const double share = sweep > 1 ? kShareOfSweep : kShareOfTimeout;
        spec.timeout_s = std::max(spec.timeout_s, spec.budget_s / share);
        spec.stall_s = stall_s(spec.timeout_s);
      }
      spec.budget_s = std::min(spec.budget_s, spec.timeout_s * kShareOfTimeout);
      stage.sets = {{"default", {}}};
      stage.runs = {spec};
      stage.set_of_run = {0};
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace ringwise::app
