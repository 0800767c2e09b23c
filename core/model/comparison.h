// Runs side by side: what `ringwise compare` found. Its JSON is docs/formats.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringwise::model {

/// How a cell stands to its row's cell of the baseline.
enum class Against {
  kBaseline,     ///< it is the baseline's
  kBetter,       ///< beyond noise
  kWorse,        ///< beyond noise
  kWithinNoise,  ///< no difference can be called
  kUnknown,      ///< too few blocks for an interval on either side, or the baseline has no value
};

/// One network mode of one run.
struct ComparedRun {
  std::string name;    ///< "overlay", "eth0 host", with the source behind it where names repeat
  std::string source;  ///< the file
  bool is_baseline = false;
  std::optional<std::string> label = std::nullopt;      ///< --mode
  std::optional<std::string> detected = std::nullopt;   ///< from what host or pod show
  std::optional<std::string> interface = std::nullopt;  ///< as the results name it
  int ranks = 0;
  int nodes = 0;
  /// What keeps it from being comparable with the baseline; not empty only with --force.
  std::vector<std::string> differences = {};
};

struct ComparedCell {
  std::optional<double> value = std::nullopt;  ///< in the table's unit; absent = not measured
  std::optional<double> low = std::nullopt;    ///< 95 % interval over blocks; absent below 6
  std::optional<double> high = std::nullopt;
  /// value / baseline's value. Median over blocks where both were measured in one run, block by
  /// block; else of the medians.
  std::optional<double> ratio = std::nullopt;
  std::optional<double> ratio_low = std::nullopt;
  std::optional<double> ratio_high = std::nullopt;
  Against against = Against::kUnknown;
  std::optional<std::string> reason = std::nullopt;  ///< why there is no value
};

struct ComparedRow {
  std::string label;  ///< "4 MiB", "2 channels x 4 threads x 1 socket, 64 MiB"
  std::optional<std::uint64_t> bytes = std::nullopt;  ///< payload of one operation
  std::optional<int> streams = std::nullopt;          ///< data sockets a direction, in a sweep
  std::vector<ComparedCell> cells = {};               ///< by position in `runs`
};

struct ComparedTable {
  std::string probe;
  std::optional<std::string> variant = std::nullopt;
  std::string quantity;  ///< "busbw", "latency", "bandwidth"
  std::string unit;      ///< "GB/s", "us", "Gbit/s"
  bool is_more_better = true;
  std::vector<ComparedRow> rows = {};
};

struct ComparedFactCell {
  std::optional<std::string> text =
      std::nullopt;                            ///< "1450", "VXLAN (50 bytes)"; absent = not known
  std::optional<double> ratio = std::nullopt;  ///< to the baseline's, where both are numbers
  std::optional<std::string> remedy = std::nullopt;  ///< what closes the gap, where it is worse off
};

/// A fact beside the numbers, or a limit of the host or container, run by run.
struct ComparedFact {
  std::string name;                          ///< "path MTU", "memlock"
  std::vector<ComparedFactCell> cells = {};  ///< by position in `runs`
};

/// What one mode costs against the baseline, and why.
struct ComparedCost {
  std::string name;  ///< the run's
  std::string text;  ///< one sentence
};

struct Comparison {
  std::string baseline;                ///< name of the run that the others are compared with
  std::vector<ComparedRun> runs = {};  ///< the baseline first, then as they were given
  std::vector<ComparedTable> tables = {};
  std::vector<ComparedFact> facts = {};   ///< of the path
  std::vector<ComparedFact> limits = {};  ///< of host and container
  std::vector<ComparedCost> costs = {};   ///< one for each run but the baseline
  bool is_interleaved = false;  ///< all runs are one record: measured in turn, block by block
};

[[nodiscard]] const char* to_text(Against against);

}  // namespace ringwise::model
