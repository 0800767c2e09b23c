// mpi-allreduce: what the MPI library's own all-reduce gives, as the reference beside ours.
#pragma once

#include <functional>

#include "app/probe/options.h"
#include "app/probe/world.h"
#include "comm/control_plane.h"
#include "model/record.h"

namespace ringwise::app {

/// Measures in the supervisors themselves, so it comes last. `on_timeout` is called from another
/// thread when a call does not end by the stage's time-out; it has to end the process. The result
/// is complete at rank 0 only. Collective.
[[nodiscard]] model::Result run_mpi_reference(comm::ControlPlane& plane,
                                              const ProbeOptions& options, const World& world,
                                              const std::function<void()>& on_timeout);

/// The interfaces of `host` that MPI's TCP traffic uses, where the launcher says so.
[[nodiscard]] std::optional<std::string> control_interface(const model::Host& host);

}  // namespace ringwise::app
