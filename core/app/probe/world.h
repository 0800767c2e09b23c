// What the supervisors learn of each other before anything is measured, and whether to go on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/probe/options.h"
#include "comm/control_plane.h"
#include "model/record.h"

namespace ringwise::app {

/// What one rank tells of itself.
struct Introduction {
  model::Host host;
  model::Rank rank;    ///< rank and interfaces; local_rank is filled in by rank 0
  int error_code = 0;  ///< exit code of what makes this rank unable to take part, 0 = none
  std::string error;   ///< one line; empty when this rank has said it itself
  std::vector<std::string> families;  ///< "inet" or "inet6", of each of rank.interfaces
  std::vector<std::string> notes;     ///< on settings of its environment
};

/// What rank 0 decided. The same on every rank.
struct World {
  int exit_code = 0;  ///< not 0: leave with it, without measuring
  std::string error;  ///< the line for it, said by rank 0; empty when it is already said
  std::string token;  ///< 128 random bits, hexadecimal
  std::uint64_t seed = 0;
  std::vector<std::string> hosts;  ///< host of each rank
  std::vector<int> local_ranks;    ///< place of each rank on its host, from 0
  // At rank 0 only:
  std::vector<Introduction> introductions;  ///< by rank
  std::vector<int> host_of_rank;            ///< index into the distinct hosts, by rank
  int nodes = 1;
  std::vector<std::string> warnings;
};

/// Reads this host and resolves --interface on it. Never throws for what is wrong with the host:
/// that is the introduction's error.
[[nodiscard]] Introduction introduce(const ProbeOptions& options, int rank);

/// Gathers the introductions, checks the world against what was asked, and agrees. Collective.
[[nodiscard]] World agree_on_world(comm::ControlPlane& plane, const ProbeOptions& options,
                                   const Introduction& mine);

/// Rank 0's judgement of the introductions (absent = silent): pure but for the random token.
[[nodiscard]] World judge_world(const ProbeOptions& options,
                                const std::vector<std::optional<Introduction>>& introductions);

}  // namespace ringwise::app
