// Ends a launcher that does not end when the run is aborted.
#pragma once

namespace ringwise::app {

/// Call it right before an abort. MPI_Abort asks the launcher on this host to end, and it then
/// waits for every host of the run: for ever when one cannot be reached. A process of its own,
/// which outlives this one, looks 3 s later (and 1 s more for every 200 ranks) and kills the
/// launcher if it is still there. Only a parent of this process that has the name of a launcher is
/// touched.
void end_launcher_later(int ranks) noexcept;

}  // namespace ringwise::app
