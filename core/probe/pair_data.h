// What one rank gathers of a pair, and the rows it becomes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/record.h"
#include "probe/pair_link.h"
#include "probe/path_probe.h"
#include "probe/run_one.h"
#include "probe/stage.h"

namespace ringwise::probe {

/// The blocks of one kind of transfer.
struct TransferData {
  std::vector<double> bytes_per_s;  ///< by block, like the next two
  std::vector<double> cpu_s_per_gbyte_src;
  std::vector<double> cpu_s_per_gbyte_dst;
  std::uint64_t payload_bytes = 0;  ///< all blocks together
  std::uint64_t retransmits = 0;

  void add(const Transfer& transfer);
};

/// What this rank has of one peer it sends to.
struct PairData {
  int round = 0;
  int last_block = 0;
  std::optional<PathFindings> path;  ///< present once it was looked at
  TransferData one_way;
  TransferData both;  ///< its CPU times mean nothing: an end sends and receives at once
  std::vector<double> latency_p50_us;
  std::vector<double> latencies_us;
  int path_mtu = 0;
  std::string congestion_control;
  std::optional<Failure> failure;
  std::string skipped;  ///< why it was not measured
};

/// A row for one direction kind of the pair from this rank to `peer`.
[[nodiscard]] model::PairResult row_of(const StageSpec& spec, const std::string& interface,
                                       int peer, const PairData& data, bool is_both);

/// The failure, with the path as its reason where the pair stalled and packets that the kernel
/// sends are known not to arrive. Both ends of a pair say it, whichever direction it is.
[[nodiscard]] Failure explained(const StageSpec& spec, int peer, const PairData& data,
                                Failure failure);

}  // namespace ringwise::probe
