// One rank's side of a stage: its worker, and what it has to say in each round.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/probe/stage_runner.h"
#include "app/probe/worker_process.h"
#include "base/deadline.h"
#include "comm/frames.h"
#include "model/record.h"
#include "probe/stage.h"

namespace ringwise::app {

class LocalStage {
 public:
  /// Starts the worker. `goes_on` as in Referee: a worker that is stopped from outside is then
  /// ended soon, since the others need not wait for it. `spec` and `events` outlive this.
  LocalStage(const probe::StageSpec& spec, const StageEvents& events, bool goes_on);

  [[nodiscard]] base::Deadline deadline() const { return deadline_; }

  /// What this rank says in the next round (stage_words.h): waits for its worker, at most until
  /// the deadline. What the worker sent counts, whatever became of it since. Throws Error(kPeer)
  /// when a signal stopped this process: its worker's end is no news then.
  [[nodiscard]] std::string contribution();

  /// Passes rank 0's answer to a worker that waits for one.
  void answer(const std::string& reply);

 private:
  std::optional<comm::Frame> next_exchange();
  bool await_frame();
  void end_worker();
  void show_progress(std::string_view body) const;
  void fail(const std::string& text, const char* sign);

  const probe::StageSpec& spec_;
  const StageEvents& events_;
  bool goes_on_;
  base::Deadline deadline_;
  WorkerProcess worker_;
  std::string last_step_;
  model::Problem failure_;
  bool is_stopped_ = false;  ///< the worker was found stopped, several times in a row
  bool has_failed_ = false;
  bool is_delivered_ = false;
};

}  // namespace ringwise::app
