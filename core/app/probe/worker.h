// The worker's side of a stage.
#pragma once

namespace ringwise::app {

/// Reads the stage from the descriptor, measures it, writes the report to it. The exit code says
/// only whether the report was delivered. A worker that outlives its stage's time-out ends itself.
int run_worker(int fd);

}  // namespace ringwise::app
