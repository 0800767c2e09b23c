// A whole run as one rank's supervisor sees it.
#pragma once

#include "app/probe/options.h"

namespace ringwise::app {

/// Joins the control plane, agrees on the world, runs every stage, writes the record (rank 0) and
/// the journals (every rank). Returns the exit code. Throws Error before anything is measured, and
/// where rank 0 is lost. Collective.
int run_probe(int* argc, char*** argv, const ProbeOptions& options);

}  // namespace ringwise::app
