// Run records for the tests of comparisons, made of what a test needs to say only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/compare.h"
#include "model/record.h"

namespace ringwise::compare::test {

struct Run {
  std::string mode = "host";
  std::string interface = "eth0";
  double us_per_mib = 1000;  ///< of every size, so that bandwidth is the same at all
  double spread = 0.001;     ///< between blocks
  int blocks = 6;
  int mtu = 1500;
  double latency_us = 10;
  double gbit_per_s = 10;
  std::vector<std::string> nodes = {"node1", "node2", "node3"};
};

/// A wire result of 8 B, 1 and 4 MiB, verified, with its path proved.
[[nodiscard]] model::Result wire(const Run& run);
/// All ordered pairs, one way and both ways.
[[nodiscard]] model::Result pairs(const Run& run);
/// A complete record with both, one rank a node.
[[nodiscard]] model::RunRecord record(const Run& run);

/// compare() of records that are called "a.json", "b.json", ...
[[nodiscard]] model::Comparison compared(const std::vector<model::RunRecord>& records,
                                         const Options& options = {});
/// What compare() throws; fails the test when it does not.
[[nodiscard]] std::string refusal(const std::vector<model::RunRecord>& records,
                                  const Options& options = {});

/// The cell of a size (bandwidth) or fact; fails the test when there is none.
[[nodiscard]] model::ComparedCell cell(const model::Comparison& comparison, std::uint64_t bytes,
                                       std::size_t run);
[[nodiscard]] std::string fact_text(const model::Comparison& comparison, const std::string& name,
                                    std::size_t run);

}  // namespace ringwise::compare::test
