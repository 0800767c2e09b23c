#include "app/probe/supervisor.h"

#include <unistd.h>

#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "app/exit_code.h"
#include "app/guarded_main.h"
#include "app/probe/display.h"
#include "app/probe/launcher_watch.h"
#include "app/probe/mpi_reference.h"
#include "app/probe/record_builder.h"
#include "app/probe/run_files.h"
#include "app/probe/settings.h"
#include "app/probe/signals.h"
#include "app/probe/stage_runner.h"
#include "app/probe/stages.h"
#include "app/probe/world.h"
#include "app/version.h"
#include "base/error.h"
#include "base/file.h"
#include "base/units.h"
#include "comm/control_plane.h"
#include "model/journal.h"
#include "model/json.h"
#include "probe/shm_allreduce.h"
#include "probe/stage_json.h"

namespace ringwise::app {
namespace {

constexpr int kNotMeasured = static_cast<int>(ExitCode::kNotMeasured);
constexpr std::chrono::seconds kBetweenStages{15};
constexpr std::chrono::seconds kLeave{10};
/// The others wait so long for the word that the record is on disk.
constexpr std::chrono::seconds kVerdict{20};
constexpr const char* kWritten = "written";
constexpr const char* kNotWritten = "not written";
/// mpirun ends the other ranks when one exits: rank 0, which has the record to write, exits first.
constexpr std::chrono::seconds kRecordFirst{1};
class Supervisor {
 public:
  Supervisor(comm::ControlPlane& plane, const ProbeOptions& options)
      : plane_(plane), options_(options), log_("ringwise-probe", options.level) {}

  int run() {
    std::vector<SettingsSet> sets;
    Introduction mine = introduce(options_, plane_.rank());
    if (plane_.rank() == 0) prepare_rank_0(mine, sets);
    world_ = agree_on_world(plane_, options_, mine);
    if (world_.exit_code != 0) return refuse();
    if (plane_.rank() == 0) {
      stages_ = plan_stages(options_, world_, sets);
      builder_.emplace(options_, world_);
      for (const auto& warning : world_.warnings) log_.warning(warning);
    }
    // Whoever reads after a crash shall find this run's journals and not an older run's record.
    if (plane_.rank() == 0) remove_old_run(options_.output, plane_.size());
    journal_.emplace(options_, world_, mine);
    display_.emplace(log_, plane_.rank() == 0, planned_s(stages_));
    const char* argv[] = {"ringwise-probe"};
    const auto run_all = [&] {
      run_stages();
      return 0;
    };
    return finish(guarded_main(1, argv, run_all, &stopped_because_));
  }

 private:
  /// What only rank 0 can find wrong is said here, and is its introduction's error.
  void prepare_rank_0(Introduction& mine, std::vector<SettingsSet>& sets) {
    const char* argv[] = {"ringwise-probe"};
    const int code = guarded_main(1, argv, [&] {
      check_output(options_.output);
      is_output_ours_ = true;
      auto loaded = load_settings(options_.settings);
      sets = std::move(loaded.sets);
      for (const auto& warning : loaded.warnings) log_.warning(warning);
      return 0;
    });
    if (code == 0 || mine.error_code != 0) return;
    mine.error_code = code;
    mine.error.clear();
  }

  int refuse() {
    if (plane_.rank() == 0 && !world_.error.empty()) log_.error(world_.error);
    // An older run's record would pass for that of this run.
    std::error_code error;
    if (is_output_ours_ && world_.exit_code != static_cast<int>(ExitCode::kUsage) &&
        std::filesystem::remove(options_.output, error)) {
      log_.warning(
          fmt::format("removed the record of an older run: {}", base::printable(options_.output)));
    }
    leave();
    return world_.exit_code;
  }

  void run_stages() {
    std::size_t number = 0;
    if (plane_.rank() != 0) return follow();
    for (const auto& stage : stages_) {
      display_->begin(stage.probe, ++number, stages_.size());
      const auto from = builder_->record().results.size();
      if (stage.probe == kMpiAllreduce) {
        announce(kMpiAllreduce);
        run_reference();
      } else {
        lead(stage);
      }
      ++stages_done_;
      if (is_lost_) return;
      show_end(stage, from);
    }
    announce("");
  }

  void show_end(const Stage& stage, std::size_t from) {
    const auto record = builder_->record();
    std::string status = "ok";
    bool has_failed = false;
    for (std::size_t i = from; i < record.results.size(); ++i) {
      const auto& result = record.results[i];
      if (result.status == model::Status::kOk) continue;
      if (has_failed && result.status != model::Status::kFailed) continue;
      has_failed = result.status == model::Status::kFailed;
      status = fmt::format("{}: {}", model::to_text(result.status), result.reason.value_or(""));
    }
    display_->end(stage.probe, status, has_failed);
  }

  /// Tells the other ranks what comes next: a stage's specification, mpi-allreduce, or the end.
  void announce(const std::string& what) {
    plane_.broadcast(what, base::Deadline::after(kBetweenStages));
  }

  /// Rank 0: all workers of one stage, one after the other.
  void lead(const Stage& stage) {
    std::vector<bool> has_failed(stage.sets.size(), false);
    for (std::size_t run = 0; run < stage.runs.size(); ++run) {
      const auto set = static_cast<std::size_t>(stage.set_of_run[run]);
      // Without the default there is nothing to compare the others with.
      if (has_failed[set] || has_failed[0]) continue;
      const auto text = probe::to_json_line(stage.runs[run]);
      announce(text);
      const auto outcome = run_here(stage.runs[run]);
      builder_->add_run(stage, run, outcome);
      has_failed[set] = !outcome.problems.empty() || has_problem(outcome);
      if (!outcome.lost.empty()) {
        note_lost(stage, outcome.lost);
        break;
      }
    }
    builder_->finish_stage(stage);
  }

  static bool has_problem(const StageOutcome& outcome) {
    for (const auto& report : outcome.reports) {
      if (!report) return true;
      for (const auto& result : report->results) {
        if (result.status == model::Status::kFailed) return true;
      }
    }
    return false;
  }

  void note_lost(const Stage& stage, const std::vector<int>& lost) {
    is_lost_ = true;
    builder_->give_up();
    for (const int rank : lost) {
      model::Problem problem;
      problem.stage = stage.probe;
      problem.rank = rank;
      problem.host = world_.hosts.at(static_cast<std::size_t>(rank));
      problem.sign = "rank-lost";
      problem.text =
          "its supervisor stays silent on the control interface: it is stopped, or cut off";
      log_.error(
          fmt::format("rank {} ({}): {}", rank, base::printable(*problem.host), problem.text));
      builder_->add_problem(std::move(problem));
    }
  }

  /// The other ranks do what rank 0 announces.
  void follow() {
    while (true) {
      const auto text = plane_.broadcast("", base::Deadline::after(kBetweenStages + kStageGrace));
      if (text.empty()) return;
      if (text == kMpiAllreduce) {
        run_reference();
        continue;
      }
      auto spec = probe::stage_spec_from_json(text);
      spec.rank = plane_.rank();
      run_here(spec);
    }
  }

  StageOutcome run_here(const probe::StageSpec& spec) {
    journal_->begin_stage(spec.probe);
    const StageEvents events{
        .step =
            [&](std::string_view text) {
              log_.verbose(fmt::format("rank {}: {}: {}", spec.rank, spec.probe, text));
              journal_->step(spec.probe, text);
            },
        .progress = [&](double share, std::string_view text) { display_->progress(share, text); },
        .reported =
            [&](const model::StageReport& report) { journal_->end_stage(spec.probe, report); },
        .failed = [&](const model::Problem& problem) { say_problem(problem); }};
    auto outcome = run_stage(plane_, spec, events);
    probe::remove_shared_memory(world_.token);
    return outcome;
  }

  void say_problem(const model::Problem& problem) {
    journal_->problem(problem);
    log_.error(fmt::format("rank {} ({}): {}: {}", problem.rank.value_or(plane_.rank()),
                           base::printable(problem.host.value_or("?")), problem.stage,
                           problem.text));
  }

  /// MPI tells nobody whom it waits for.
  [[nodiscard]] model::Problem stuck_reference() const {
    model::Problem problem;
    problem.stage = kMpiAllreduce;
    problem.rank = plane_.rank();
    problem.host = world_.hosts.at(static_cast<std::size_t>(plane_.rank()));
    if (!world_.introductions.empty()) {
      problem.interface = control_interface(world_.introductions.front().host);
    }
    problem.step = "MPI_Allreduce";
    problem.text = fmt::format(
        "MPI_Allreduce over the control interface{} did not end within the stage time-out: a rank "
        "is stuck or a path is dead, and MPI does not tell which; tcp-pairs over that interface "
        "does",
        problem.interface ? " " + base::printable(*problem.interface) : "");
    return problem;
  }

  void run_reference() {
    journal_->begin_stage(kMpiAllreduce);
    // Called from another thread while this one hangs in MPI_Allreduce.
    const auto on_timeout = [&] {
      const auto problem = stuck_reference();
      if (!builder_) std::this_thread::sleep_for(kRecordFirst);
      say_problem(problem);
      if (builder_) {
        model::Result result;
        result.probe = kMpiAllreduce;
        result.status = model::Status::kFailed;
        result.interface = problem.interface;
        result.reason = problem.text;
        builder_->add_result(std::move(result));
        builder_->add_problem(problem);
        builder_->give_up();
        base::write_atomically(options_.output, model::to_json(builder_->record()));
      }
      end_launcher_later(plane_.size());
      ::_exit(kNotMeasured);
    };
    auto result = run_mpi_reference(plane_, options_, world_, on_timeout);
    model::StageReport report;
    report.results.push_back(result);
    journal_->end_stage(kMpiAllreduce, report);
    if (builder_) builder_->add_result(std::move(result));
  }

  /// The record, the journals' end, the farewell. `stopped_by` is the exit code of what ended the
  /// stages early, 0 = nothing.
  int finish(int stopped_by) {
    const int signal = received_signal();
    if (plane_.rank() != 0) return finish_follower(stopped_by);
    if (signal != 0) {
      // The launcher or a person ends the run. Why, only all journals together can tell: a rank
      // that was killed has no last line. A record now would hide them.
      log_.error(
          fmt::format("stopped by signal {}: what was measured is in {} and those of the "
                      "other ranks; ringwise report {} reads them",
                      signal, journal_->path().string(), options_.output));
      abort_run();
    }
    if (stopped_by != 0) {
      builder_->give_up();
      model::Problem problem;
      problem.stage = stages_done_ < stages_.size() ? stages_[stages_done_].probe : "run";
      problem.rank = 0;
      problem.host = world_.hosts.front();
      problem.text = fmt::format("the run ended early: {}", stopped_because_);
      builder_->add_problem(std::move(problem));
    }
    add_unmeasured(stopped_by != 0);
    const auto record = builder_->record();
    const bool is_written = write_record(record);
    if (is_lost_ || stopped_by != 0) abort_run();
    plane_.broadcast(is_written ? kWritten : kNotWritten, base::Deadline::after(kVerdict));
    journal_->end(is_written && record.complete);
    if (!leave()) abort_run();
    return is_written ? exit_code_of(record) : kNotMeasured;
  }

  /// What cannot be written (a full disk) is still in the journals, which stay then.
  bool write_record(const model::RunRecord& record) {
    const char* argv[] = {"ringwise-probe"};
    const int code = guarded_main(1, argv, [&] {
      base::write_atomically(options_.output, model::to_json(record));
      return 0;
    });
    const auto output = base::printable(options_.output);
    if (code != 0) {
      log_.error(
          fmt::format("the record is not written; what was measured is in the journals of "
                      "the ranks: ringwise report {} reads them",
                      output));
      return false;
    }
    // What -q leaves of the line below.
    if (!record.complete && options_.level == base::LogLevel::kQuiet) {
      log_.error(fmt::format("{} is incomplete", output));
    }
    log_.info(fmt::format("wrote {} ({}); next: ringwise report {}", output,
                          record.complete ? "complete" : "incomplete", output));
    return true;
  }

  /// Stages that were asked for and gave no result.
  void add_unmeasured(bool is_broken_off) {
    for (std::size_t i = stages_done_; i < stages_.size(); ++i) {
      model::Result result;
      result.probe = stages_[i].probe;
      result.status = model::Status::kFailed;
      result.reason = is_broken_off && i == stages_done_
                          ? "not measured: the run was broken off in it"
                          : "not measured: the run was broken off before it";
      builder_->add_result(std::move(result));
    }
  }

  int finish_follower(int stopped_by) {
    if (stopped_by != 0) {
      if (received_signal() == 0) {
        model::Problem problem;
        problem.stage = "run";
        problem.rank = 0;
        problem.host = world_.hosts.front();
        problem.sign = "rank-lost";
        problem.text = "rank 0 stays silent on the control interface: it is stopped, or cut off";
        journal_->problem(problem);
      }
      abort_run();
    }
    // Without the word it may be that only the journals have what was measured.
    const char* argv[] = {"ringwise-probe"};
    bool is_written = false;
    guarded_main(1, argv, [&] {
      is_written = plane_.broadcast("", base::Deadline::after(kVerdict)) == kWritten;
      return 0;
    });
    journal_->end(is_written);
    return leave() && is_written ? 0 : kNotMeasured;
  }

  /// Does not return.
  void abort_run() {
    probe::remove_shared_memory(world_.token);
    end_launcher_later(plane_.size());
    plane_.abort(kNotMeasured);
  }

  bool leave() { return plane_.leave(base::Deadline::after(kLeave)); }

  comm::ControlPlane& plane_;
  const ProbeOptions& options_;
  base::Log log_;
  World world_;
  std::vector<Stage> stages_;
  std::optional<RecordBuilder> builder_;
  std::optional<RunJournal> journal_;
  std::optional<Display> display_;
  bool is_output_ours_ = false;  ///< rank 0: nothing but a run record is lost there
  std::size_t stages_done_ = 0;  ///< rank 0: of `stages_`
  std::string stopped_because_;  ///< what ended the stages early
  bool is_lost_ = false;
};

}  // namespace

int run_probe(int* argc, char*** argv, const ProbeOptions& options) {
  install_signal_handlers();
  const auto plane = comm::join_control_plane(
      argc, argv, {.patience = std::chrono::seconds(60), .is_interrupted = [] {
                     return received_signal() != 0;
                   }});
  return Supervisor(*plane, options).run();
}

}  // namespace ringwise::app
