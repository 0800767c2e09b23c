// How the supervisors of a run talk: every rank with rank 0, by MPI or alone in one process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"

namespace ringwise::comm {

/// What time_allreduce does.
struct AllreduceRun {
  std::uint64_t bytes = 0;  ///< a multiple of 4
  int warmups = 1;
  int iterations = 1;
  base::Deadline deadline;
  /// MPI_Allreduce cannot be interrupted: when the deadline passes inside it, this is called from
  /// another thread and has to end the process.
  std::function<void()> on_timeout;
};

struct AllreduceTimes {
  std::vector<double> us;   ///< of each iteration on this rank
  std::uint64_t wrong = 0;  ///< elements that are not the exact sum, of the first operation
};

/// A star with rank 0 in the middle, so that a broken path between two other ranks does not stop
/// the run. All functions but abort and the constants are collective. Between calls MPI is not
/// driven: nothing of it runs beside a measurement.
class ControlPlane {
 public:
  ControlPlane() = default;
  virtual ~ControlPlane() = default;
  ControlPlane(const ControlPlane&) = delete;
  ControlPlane& operator=(const ControlPlane&) = delete;
  ControlPlane(ControlPlane&&) = delete;
  ControlPlane& operator=(ControlPlane&&) = delete;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// "Open MPI 4.1.4", "none"
  [[nodiscard]] virtual std::string description() const = 0;

  /// At rank 0: everyone's text by rank, absent for those that stayed silent until the deadline.
  /// Elsewhere: empty. Collective.
  virtual std::vector<std::optional<std::string>> gather(const std::string& mine,
                                                         base::Deadline deadline) = 0;

  /// Rank 0's text, on every rank. Elsewhere throws Error(kTimeout) when rank 0 stays silent.
  /// Collective.
  virtual std::string broadcast(const std::string& text, base::Deadline deadline) = 0;

  /// The MPI library's own blocking all-reduce (float32, sum), on the control interface. Throws
  /// Error(kUnavailable) without MPI. Collective.
  virtual AllreduceTimes time_allreduce(const AllreduceRun& run) = 0;

  /// Ends all ranks with this exit code, without waiting for any. Does not return.
  [[noreturn]] virtual void abort(int exit_code) = 0;

  /// Leaves the group in good order. Waits at most until the deadline and then returns false: the
  /// process has to end without the library's help. Collective.
  virtual bool leave(base::Deadline deadline) = 0;
};

struct JoinOptions {
  /// How long MPI may take to come up; then the process ends with exit code 3 and a line.
  base::Nanoseconds patience = std::chrono::seconds(60);
  /// Asked in every wait: true makes the wait throw Error(kPeer, "stopped by a signal").
  std::function<bool()> is_interrupted;
};

/// MPI when the build has it and a launcher started us, otherwise a group of one. Throws
/// Error(kUnavailable) when a launcher started us but the build has no MPI.
std::unique_ptr<ControlPlane> join_control_plane(int* argc, char*** argv, JoinOptions options);

/// The group of one; what join_control_plane gives without a launcher.
std::unique_ptr<ControlPlane> alone();

/// The launcher as its environment variables tell: "openmpi", "mpich", "slurm", "pmix" or "none".
[[nodiscard]] std::string detect_launcher();
/// Ranks the launcher was asked for, from OMPI_COMM_WORLD_SIZE, PMI_SIZE or SLURM_NTASKS.
[[nodiscard]] std::optional<int> launcher_ranks();
/// Nodes the launcher was asked for, where it says so (SLURM_NNODES, OMPI_MCA_orte_num_nodes).
[[nodiscard]] std::optional<int> launcher_nodes();

}  // namespace ringwise::comm
